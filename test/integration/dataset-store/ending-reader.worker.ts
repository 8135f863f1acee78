import { parentPort } from 'node:worker_threads';
import '../../../src-main/compose/dataset-reader.worker.ts';

/** A reader thread that exits, as in a crash, when one specific method of the store is called. */
parentPort?.on('message', ({ method, args }: { method?: string; args?: unknown[] }) => {
  if (method === 'reader.read' && args?.[1] === 'enrichment.countFailures') process.exit(1);
});
