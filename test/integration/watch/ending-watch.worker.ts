import { parentPort } from 'node:worker_threads';
import '../../../src-main/infra/watch/watch.worker.ts';

/** The thread that watches folders. It exits, as in a crash, when a rescan is requested. */
parentPort?.on('message', ({ method }: { method?: string }) => {
  if (method === 'rescan') process.exit(1);
});
