import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../../contract/errors.ts';
import type { DatasetFolders } from '../../../core/ports/dataset-folders.ts';
import type { DatasetReader } from '../../../core/ports/dataset-reader.ts';
import type { DatasetStore, DatasetStores } from '../../../core/ports/dataset-store.ts';
import type { DatasetWriter } from '../../../core/ports/dataset-writer.ts';
import type { Log } from '../../../core/ports/log.ts';
import { YOUNG_MEMORY_LIMIT } from '../../young-memory.ts';
import { GenerationFolders } from '../disk/generation-folders.ts';

export type StoreMethod = keyof DatasetReader | keyof DatasetWriter;

export interface StoreCall {
  id: number;
  method: StoreMethod;
  args: unknown[];
}

export type StoreReply =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; message: string; code: ErrorCode | undefined; stack: string | undefined };

export interface StoreLocation {
  dataset_id: string;
  dataFolder: string;
  folder: string;
  parquetEntryFile: string;
}

const IDLE_CLOSE_MS = 5 * 60_000;

/** One worker thread serving one generation of one dataset; started at the first call, stopped when long idle. */
class StoreClient {
  readonly #entryFile: string;
  readonly #location: StoreLocation;
  readonly #log: Log;
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 1;

  constructor(entryFile: string, location: StoreLocation, log: Log) {
    this.#entryFile = entryFile;
    this.#location = location;
    this.#log = log;
  }

  call(method: StoreMethod, args: unknown[]): Promise<unknown> {
    const worker = this.#start();
    clearTimeout(this.#idle);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, method, args } satisfies StoreCall);
    });
  }

  /** Lets the thread end after the calls before: ONNX Runtime aborts the process if `terminate()` meets it in a search. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    if (!worker) return;
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await gone;
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#entryFile, {
      workerData: this.#location,
      name: 'dataset-store',
      resourceLimits: YOUNG_MEMORY_LIMIT,
    });
    this.#worker = worker;
    worker.on('message', (reply: StoreReply) => this.#settle(reply));
    worker.on('error', (error) => {
      this.#log.error({ err: error, dataset_id: this.#location.dataset_id }, 'dataset store failed');
      this.#abandon(worker, error);
    });
    worker.on('exit', () => this.#abandon(worker, new AppError('unavailable', 'The dataset was closed')));
    return worker;
  }

  #settle(reply: StoreReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.ok) waiting?.resolve(reply.value);
    else waiting?.reject(storeError(reply));
    if (this.#waiting.size === 0 && this.#worker) {
      this.#idle = setTimeout(() => void this.close(), IDLE_CLOSE_MS).unref();
    }
  }

  #abandon(worker: Worker, error: unknown): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

function storeError(reply: StoreReply & { ok: false }): Error {
  if (reply.code !== undefined) return new AppError(reply.code, reply.message);
  const error = new Error(reply.message);
  if (reply.stack !== undefined) error.stack = reply.stack;
  return error;
}

/** The methods of a port; a proxy turns each into a message. */
function remote<Port extends object>(client: StoreClient): Port {
  return new Proxy({} as Port, {
    get:
      (_target, method) =>
      (...args: unknown[]) =>
        client.call(method as StoreMethod, args),
  });
}

/** Opens dataset folders below the data folder, each in a thread of its own. */
export function createDatasetStores(options: {
  entryFile: string;
  parquetEntryFile: string;
  dataFolder: string;
  folders: Pick<DatasetFolders, 'remove'>;
  log: Log;
}): DatasetStores {
  const { dataFolder, parquetEntryFile, folders } = options;
  const generations = new GenerationFolders(join(dataFolder, 'datasets'));
  const clients = new Map<string, { client: StoreClient; store: DatasetStore }>();

  const open = (datasetId: string, generation: number): DatasetStore => {
    const key = `${datasetId}/${generation}`;
    const known = clients.get(key);
    if (known) return known.store;
    const folder = generations.path(datasetId, generation);
    const client = new StoreClient(
      options.entryFile,
      { dataset_id: datasetId, dataFolder, folder, parquetEntryFile },
      options.log,
    );
    const store: DatasetStore = { read: remote(client), write: remote(client) };
    clients.set(key, { client, store });
    return store;
  };

  const closeAll = async (matches: (key: string) => boolean) => {
    for (const [key, { client }] of [...clients]) {
      if (!matches(key)) continue;
      clients.delete(key);
      await client.close();
    }
  };

  return {
    open,
    copy: (from, toDatasetId, changes) =>
      generations.add(toDatasetId, (folder) => open(from.dataset_id, from.generation).write.copyTo(folder, changes)),
    keepOnly: async (datasetId, generation) => {
      const kept = String(generation);
      await closeAll((key) => key.startsWith(`${datasetId}/`) && key !== `${datasetId}/${kept}`);
      await generations.keepOnly(datasetId, generation);
    },
    create: (datasetId) => generations.add(datasetId, () => undefined),
    remove: async (datasetId) => {
      await closeAll((key) => key.startsWith(`${datasetId}/`));
      await folders.remove(datasetId);
    },
    close: async () => {
      await Promise.all([...clients.values()].map(({ client }) => client.close()));
      clients.clear();
    },
  };
}
