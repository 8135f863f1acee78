import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { StatedChecksum } from '../files/file-checksum.ts';
import { Spare } from '../threads/spare.ts';
import { Thread } from '../threads/thread.ts';
import { callsOf } from '../threads/thread-port.ts';
import { PARQUET_FILE } from './parquet-messages.ts';
import type { ParquetTable } from './read-parquet.ts';

/** Maximum time in ms until a file returns its next rows: damaged content can make the decoder loop forever. */
const STALL_MS = 60_000;
const MAX_HEAP_MIB = 4096;
/** Time in ms after which a thread without a file ends. */
const IDLE_MS = 2_000;

/**
 * Opens a Parquet file; its rows can be read once.
 * @throws AppError as `openParquet`.
 */
export type OpenParquet = (path: string, stated?: StatedChecksum) => Promise<ParquetTable>;

/**
 * Reads each Parquet file in a thread that reads nothing else at the time, so that a damaged file can neither block the calling thread nor use
 * up its memory. A thread that has read a whole file reads the next one: results come in thousands of files, and a start takes as long as reading
 * one of them.
 * @param entryFile Path of the built `parquet.worker`.
 */
export function createParquetThreads(entryFile: string, stallMs = STALL_MS): OpenParquet {
  const spare = new Spare(() => startThread(entryFile, stallMs), IDLE_MS);
  return async (path, stated) => {
    const thread = spare.take();
    const file = callsOf(PARQUET_FILE, thread);
    let isRead = false;
    let isClosed = false;
    async function* all<Batch>(next: () => Promise<Batch | null>, signal: AbortSignal): AsyncGenerator<Batch> {
      for (;;) {
        signal.throwIfAborted();
        const batch = await next();
        if (batch === null) break;
        yield batch;
      }
      isRead = true;
    }
    const read: Pick<ParquetTable, 'rows' | 'vectors'> = {
      rows: (columns, signal) => all(() => file.next(columns), signal),
      vectors: (id, vector, signal) => all(() => file.nextVectors(id, vector), signal),
    };
    const close = async () => {
      if (isClosed) return;
      isClosed = true;
      if (!isRead) return thread.end();
      await file.close();
      await spare.putBack(thread);
    };
    try {
      return { ...(await file.open(path, stated)), ...read, close };
    } catch (error) {
      await thread.end();
      throw error;
    }
  };
}

function startThread(entryFile: string, stallMs: number): Thread {
  return new Thread({
    entryFile,
    name: 'parquet',
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    patience: { ms: stallMs, error: () => damaged('parquet_slow') },
    asError: (error) => (isOutOfMemory(error) ? damaged('parquet_memory_refused') : error),
  });
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function damaged(code: 'parquet_slow' | 'parquet_memory_refused'): AppError {
  return new AppError('invalid_request', message(code));
}
