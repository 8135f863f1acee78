import { parentPort } from 'node:worker_threads';
import '../../../src-main/infra/dataset-store/thread/dataset-reader.worker.ts';

/** A reader thread that ends at once, as in a crash, on one method of the store. */
parentPort?.on('message', ({ method, args }: { method?: string; args?: unknown[] }) => {
  if (method === 'read' && args?.[1] === 'enrichment.countFailures') process.exit(1);
});
