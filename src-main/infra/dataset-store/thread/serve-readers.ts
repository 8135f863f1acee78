import type { PagePresenter } from '../../../core/ports/pages.ts';
import { asAppError } from '../../sqlite/open-database.ts';
import { collectGarbageSoon } from '../../threads/collect-garbage.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { serve } from '../../threads/thread-port.ts';
import type { openVectorEngine } from '../../vectors/open-engine.ts';
import { GenerationReader } from './generation-reader.ts';
import { type GenerationConnection, ServedGeneration } from './served-generation.ts';
import type { ReaderStart } from './store-location.ts';
import { READER } from './thread-ports.ts';

/** Makes this thread a reader thread, which reads any number of generations. */
export function serveReaders(openEngine: typeof openVectorEngine, presenter: PagePresenter): void {
  const generations = new Map<string, ServedGeneration>();
  const methods = serve(READER, {
    open: async (key, start) => {
      generations.set(key, new ServedGeneration(() => connect(start, openEngine, presenter)));
    },
    read: async (key, method, args) => {
      const generation = generations.get(key);
      if (!generation) throw new Error(`The generation ${key} is not open in this thread`);
      return generation.read(method, args);
    },
    close: async (key) => {
      const generation = generations.get(key);
      generations.delete(key);
      await generation?.close();
      collectGarbageSoon();
    },
  });
  serveThread({
    methods,
    inOrder: false,
    asError: asAppError,
    onClose: async () => {
      await Promise.all([...generations.values()].map((generation) => generation.close()));
    },
  });
}

function connect(
  start: ReaderStart,
  openEngine: typeof openVectorEngine,
  presenter: PagePresenter,
): GenerationConnection {
  const reader = new GenerationReader(start, openEngine, presenter);
  return {
    call: (method, args) => reader.call(method, args),
    atOneMoment: (work) => reader.atOneMoment(work),
    mayWait: (method, args) => reader.mayWait(method, args),
    prepare: (method, args) => {
      const needs = GenerationReader.needsOf(method, args);
      return needs && reader.prepare(needs);
    },
    close: () => reader.close(),
  };
}
