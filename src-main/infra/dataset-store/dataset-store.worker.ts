import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../contract/errors.ts';
import { asAppError } from '../sqlite/open-database.ts';
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
    const method = opened[call.method].bind(opened) as (...args: unknown[]) => unknown;
    return { id: call.id, ok: true, value: await method(...call.args) };
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

function close(): void {
  opened?.close();
  port?.close();
}
