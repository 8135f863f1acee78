import { workerData } from 'node:worker_threads';
import { asAppError } from '../../sqlite/open-database.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { serve } from '../../threads/thread-port.ts';
import { GenerationWriter } from './generation-writer.ts';
import type { StoreLocation } from './store-location.ts';
import { WRITER } from './thread-ports.ts';

/** Entry of a writer thread. */
let opened: GenerationWriter | undefined;
const own = serve(WRITER, { open: () => undefined, isAtRest: () => opened?.isAtRest ?? true });

serveThread({
  methods: () => {
    opened ??= new GenerationWriter(workerData as StoreLocation);
    return { ...opened.methods, ...own };
  },
  inOrder: true,
  asError: asAppError,
  onClose: () => opened?.close(),
});
