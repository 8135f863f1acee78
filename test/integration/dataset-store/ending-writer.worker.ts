import { parentPort } from 'node:worker_threads';
import '../../../src-main/infra/dataset-store/thread/dataset-writer.worker.ts';

/** A writer thread that exits, as in a crash, when one specific method of the store is called. */
parentPort?.on('message', ({ method }: { method?: string }) => {
  if (method === 'repairs.countLost') process.exit(1);
});
