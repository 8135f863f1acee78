import { asAppError } from '../../sqlite/open-database.ts';
import { serveThread } from '../../threads/serve-thread.ts';
import { serve } from '../../threads/thread-port.ts';
import { GenerationReader } from './generation-reader.ts';
import { type GenerationConnection, ServedGeneration } from './served-generation.ts';
import type { ReaderStart } from './store-location.ts';
import { READER } from './thread-ports.ts';

/** Entry of a reader thread, which reads any number of generations. */
const generations = new Map<string, ServedGeneration>();

function connect(start: ReaderStart): GenerationConnection {
  const reader = new GenerationReader(start);
  return {
    call: (method, args) => reader.call(method, args),
    atOneMoment: (work) => reader.atOneMoment(work),
    prepare: (method, args) => {
      const needs = GenerationReader.needsOf(method, args);
      return needs && reader.prepare(needs);
    },
    close: () => reader.close(),
  };
}

const methods = serve(READER, {
  open: async (key, start) => {
    generations.set(key, new ServedGeneration(() => connect(start)));
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
