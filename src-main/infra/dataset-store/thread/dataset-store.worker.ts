import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../../contract/errors.ts';
import { asAppError } from '../../sqlite/open-database.ts';
import type { StoreCall, StoreLocation, StoreReply } from './dataset-store.client.ts';
import { LocalDatasetStore } from './local-dataset-store.ts';

/** The thread's entry: answers calls of the client in the order in which they came. */
const port = parentPort;
if (!port) throw new Error('runs as a worker thread only');

const location = workerData as StoreLocation;
let opened: LocalDatasetStore | undefined;
let queue: Promise<void> = Promise.resolve();

port.on('message', (message: StoreCall | 'close') => {
  queue = queue.then(() => (message === 'close' ? close() : answer(message)));
});

async function answer(call: StoreCall): Promise<void> {
  port?.postMessage(await run(call));
}

async function run(call: StoreCall): Promise<StoreReply> {
  try {
    opened ??= new LocalDatasetStore(location);
    return { id: call.id, ok: true, value: await methodOf(opened, call.method)(...call.args) };
  } catch (caught) {
    const error = asAppError(caught);
    return {
      id: call.id,
      ok: false,
      message: error instanceof Error ? error.message : String(error),
      code: error instanceof AppError ? error.code : undefined,
      stack: error instanceof Error ? error.stack : undefined,
    };
  }
}

function methodOf(store: LocalDatasetStore, name: StoreCall['method']): (...args: unknown[]) => unknown {
  const parts: readonly object[] = [store, store.changes, store.enrichment];
  const owner = parts.find((part) => name in part);
  const method: unknown = owner && Reflect.get(owner, name);
  if (typeof method !== 'function') throw new Error(`a store has no ${name}`);
  return method.bind(owner) as (...args: unknown[]) => unknown;
}

function close(): void {
  opened?.close();
  port?.close();
}
