import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../contract/errors.ts';
import type { ParquetReply, ParquetRequest } from './parquet-thread.ts';
import { openParquet, type ParquetRows, type ParquetTable } from './read-parquet.ts';

/** Reads one Parquet file for `parquet-thread`, a request at a time, until it is terminated. */
const { path } = workerData as { path: string };
const port = parentPort;
let table: ParquetTable | undefined;
let rows: AsyncGenerator<ParquetRows> | undefined;

async function answer(request: ParquetRequest): Promise<ParquetReply> {
  try {
    table ??= await openParquet(path);
    if (request.kind === 'open') return { kind: 'opened', columns: table.columns, n_rows: table.n_rows };
    rows ??= table.rows(request.columns, new AbortController().signal);
    const { done, value } = await rows.next();
    return { kind: 'rows', batch: done ? null : value };
  } catch (error) {
    if (error instanceof AppError) return { kind: 'failed', code: error.code, detail: error.message };
    throw error;
  }
}

port?.on('message', (request: ParquetRequest) => {
  void answer(request).then((reply) => port.postMessage(reply));
});
