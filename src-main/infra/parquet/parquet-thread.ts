import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { Thread } from '../threads/thread.ts';
import { callsOf } from '../threads/thread-port.ts';
import { PARQUET_FILE, type ParquetFile } from './parquet-messages.ts';
import type { ParquetRows, ParquetTable } from './read-parquet.ts';

/** Maximum time in ms until a file returns its next rows: damaged content can make the decoder loop forever. */
const STALL_MS = 60_000;
const MAX_HEAP_MIB = 4096;

/**
 * Opens a Parquet file; its rows can be read once.
 * @throws AppError as `openParquet`.
 */
export type OpenParquet = (path: string) => Promise<ParquetTable>;

/**
 * Reads each Parquet file in a thread of its own, so that a damaged file can neither block the calling thread nor use up its memory.
 * @param entryFile Path of the built `parquet.worker`.
 */
export function createParquetThreads(entryFile: string, stallMs = STALL_MS): OpenParquet {
  return async (path) => {
    const thread = new Thread({
      entryFile,
      name: 'parquet',
      workerData: () => ({ path }),
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
      patience: { ms: stallMs, error: () => damaged('parquet_slow') },
      asError: (error) => (isOutOfMemory(error) ? damaged('parquet_memory_refused') : error),
    });
    const file = callsOf(PARQUET_FILE, thread);
    const close = () => thread.end();
    try {
      const opened = await file.open();
      return {
        ...opened,
        rows: (requested, signal, vectorColumn) => readRows(file, requested, signal, vectorColumn),
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  };
}

async function* readRows(
  file: ParquetFile,
  columns: string[],
  signal: AbortSignal,
  vectorColumn?: string,
): AsyncGenerator<ParquetRows> {
  for (;;) {
    signal.throwIfAborted();
    const batch = await file.next(columns, vectorColumn);
    if (batch === null) return;
    yield batch;
  }
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function damaged(code: 'parquet_slow' | 'parquet_memory_refused'): AppError {
  return new AppError('invalid_request', message(code));
}
