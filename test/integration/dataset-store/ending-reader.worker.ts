import { parentPort } from 'node:worker_threads';
import '../../../src-main/infra/dataset-store/thread/dataset-reader.worker.ts';

/** The thread of a dataset that reads; it ends at once, as one that crashes does, when its method `end` is called. */
parentPort?.on('message', ({ method }: { method?: string }) => {
  if (method === 'end') process.exit(1);
});
