import { parentPort } from 'node:worker_threads';
import '../../../src-main/infra/watch/watch.worker.ts';

/** The thread that watches folders; it ends at once, as one that crashes does, when it is asked to scan again. */
parentPort?.on('message', ({ method }: { method?: string }) => {
  if (method === 'rescan') process.exit(1);
});
