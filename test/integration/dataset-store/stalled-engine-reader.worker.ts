import { BroadcastChannel } from 'node:worker_threads';
import { pagePresenter } from '../../../src-main/core/explore/page-presenter.ts';
import type { VectorCollection, VectorEngine } from '../../../src-main/core/ports/vector-engine.ts';
import { serveReaders } from '../../../src-main/infra/dataset-store/thread/serve-readers.ts';
import { openVectorEngine } from '../../../src-main/infra/vectors/open-engine.ts';

/**
 * A reader thread whose vector engine does not answer for the dataset `stalled` until the test says `go` on the channel. The engine says
 * `asked` when it is asked.
 */
const channel = new BroadcastChannel('stalled vector engine');
channel.unref();
const go = Promise.withResolvers<void>();
channel.onmessage = ({ data }: { data: unknown }) => {
  if (data === 'go') go.resolve();
};

async function pass(): Promise<void> {
  channel.postMessage('asked');
  await go.promise;
}

function stalled(collection: VectorCollection): VectorCollection {
  return new Proxy(collection, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name === 'load' || name === 'neighbors') {
        return async function* (...args: unknown[]) {
          await pass();
          yield* value.apply(target, args);
        };
      }
      return async (...args: unknown[]) => {
        await pass();
        return value.apply(target, args);
      };
    },
  });
}

function openStalled(...[location, shared]: Parameters<typeof openVectorEngine>): VectorEngine {
  const engine = openVectorEngine(location, shared);
  if (!location.folder.includes('stalled')) return engine;
  return {
    capabilities: engine.capabilities,
    open: (address) => stalled(engine.open(address)),
    deleteCopy: (address) => engine.deleteCopy(address),
    drop: (address) => engine.drop(address),
    listFiles: (...args) => engine.listFiles(...args),
    close: () => engine.close(),
  };
}

serveReaders(openStalled, pagePresenter);
