import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../contract/errors.ts';
import type { ParquetRows, ParquetTable } from './read-parquet.ts';

/** Longest that a file may take to give its next rows: damage can send the decoder round in circles. */
const STALL_MS = 60_000;
const MAX_HEAP_MIB = 4096;

export type ParquetRequest = { kind: 'open' } | { kind: 'next'; columns: string[] };

export type ParquetReply =
  | { kind: 'opened'; columns: string[]; n_rows: number }
  | { kind: 'rows'; batch: ParquetRows | null }
  | { kind: 'failed'; code: ErrorCode; detail: string };

/**
 * Opens a Parquet file; its rows can be read once.
 * @throws AppError as `openParquet`.
 */
export type OpenParquet = (path: string) => Promise<ParquetTable>;

/**
 * Reads Parquet files in threads of their own, so that a damaged one can neither stop this one nor take its memory.
 * @param entryFile The built `parquet.worker`.
 */
export function createParquetThreads(entryFile: string, stallMs = STALL_MS): OpenParquet {
  return async (path) => {
    const thread = new Worker(entryFile, {
      name: 'parquet',
      workerData: { path },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    const close = async () => {
      await thread.terminate();
    };
    try {
      const opened = await ask(thread, { kind: 'open' }, stallMs);
      if (opened.kind !== 'opened') throw new Error('the Parquet thread gave another answer');
      const { columns, n_rows } = opened;
      return { columns, n_rows, rows: (wanted, signal) => readRows(thread, wanted, stallMs, signal), close };
    } catch (error) {
      await close();
      throw error;
    }
  };
}

async function* readRows(
  thread: Worker,
  columns: string[],
  stallMs: number,
  signal: AbortSignal,
): AsyncGenerator<ParquetRows> {
  for (;;) {
    signal.throwIfAborted();
    const reply = await ask(thread, { kind: 'next', columns }, stallMs);
    if (reply.kind !== 'rows') throw new Error('the Parquet thread gave another answer');
    if (reply.batch === null) return;
    yield reply.batch;
  }
}

function ask(thread: Worker, request: ParquetRequest, stallMs: number): Promise<ParquetReply> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(damaged('it takes too long'))), stallMs);
    const settle = (action: () => void) => {
      clearTimeout(timer);
      thread.off('message', onMessage);
      thread.off('error', onError);
      thread.off('exit', onExit);
      action();
    };
    const onMessage = (reply: ParquetReply) =>
      settle(() => (reply.kind === 'failed' ? reject(new AppError(reply.code, reply.detail)) : resolve(reply)));
    const onError = (error: Error) => {
      const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      settle(() => reject(outOfMemory ? damaged('it takes too much memory') : error));
    };
    const onExit = () => settle(() => reject(new AppError('unavailable', 'The Parquet file was closed')));
    thread.on('message', onMessage);
    thread.on('error', onError);
    thread.on('exit', onExit);
    thread.postMessage(request);
  });
}

function damaged(why: string): AppError {
  return new AppError('invalid_request', `The file is not a readable Parquet file (${why})`);
}
