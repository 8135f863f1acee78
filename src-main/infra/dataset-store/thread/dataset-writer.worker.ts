import { asAppError } from '../../sqlite/open-database.ts';
import { collectGarbageSoon } from '../../threads/collect-garbage.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { type ServedMethods, serve } from '../../threads/thread-port.ts';
import { GenerationWriter } from './generation-writer.ts';
import type { StoreLocation } from './store-location.ts';
import { WRITER } from './thread-ports.ts';

/** Entry of a writer thread, which writes one generation at a time. */
let location: StoreLocation | undefined;
let opened: GenerationWriter | undefined;

const own = serve(WRITER, {
  open: (start) => {
    location = start;
    generation();
  },
  isAtRest: () => opened?.isAtRest ?? true,
  close: async () => {
    await opened?.close();
    opened = undefined;
    location = undefined;
    collectGarbageSoon();
  },
});

serveThread({
  methods: (method): ServedMethods => (method in own ? own : generation().methods),
  inOrder: true,
  asError: asAppError,
  onClose: () => opened?.close(),
});

/** @throws AppError `damaged` as the writer, at every call. */
function generation(): GenerationWriter {
  if (!location) throw new Error('The thread has no generation');
  opened ??= new GenerationWriter(location);
  return opened;
}
