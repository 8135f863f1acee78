import { parentPort } from 'node:worker_threads';
import '../../../src-main/infra/dataset-store/thread/dataset-writer.worker.ts';

/** A writer thread that ends at once, as in a crash, on one method of the store. */
parentPort?.on('message', ({ method }: { method?: string }) => {
  if (method === 'repairs.countLost') process.exit(1);
});
