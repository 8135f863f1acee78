import { workerData } from 'node:worker_threads';
import { asAppError } from '../../sqlite/open-database.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { GenerationWriter } from './generation-writer.ts';
import type { StoreLocation } from './store-location.ts';

/** Entry of a writer thread. */
let opened: GenerationWriter | undefined;

serveThread({
  methods: () => {
    opened ??= new GenerationWriter(workerData as StoreLocation);
    return [opened.methods, { open: () => undefined, isAtRest: () => opened?.isAtRest ?? true }];
  },
  inOrder: true,
  asError: asAppError,
  onClose: () => opened?.close(),
});
