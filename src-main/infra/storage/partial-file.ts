import { constants, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { AppError, DISK_FULL, isDiskFull } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

/** A transfer received no bytes for too long. */
export class StalledError extends Error {
  constructor() {
    super('the transfer stalled');
    this.name = 'StalledError';
  }
}

export interface AppendLimits {
  /** Maximum length of the whole file in bytes. */
  maxBytes: number;
  /** Maximum pause between bytes in ms; a longer one ends the transfer. */
  idleMs: number;
  signal: AbortSignal;
  /** Receives each chunk after it was written. */
  onChunk?: (chunk: Buffer) => void;
}

/** A file that is being fetched. It appears under its final name only when it is complete. */
export interface PartialFile {
  written_bytes(): number;
  /**
   * Appends a body to the bytes already stored.
   * @throws AppError `too_large`, `disk_full`, `storage_failed` (the disk); StalledError; AbortError; the body's own error.
   */
  append(body: Readable, limits: AppendLimits): Promise<void>;
  /** Discards the stored bytes. */
  restart(): Promise<void>;
  /** Closes the file and renames it to its final name. */
  keep(): Promise<void>;
  /** Closes and deletes the file. Safe to call again and after {@link keep}. */
  discard(): Promise<void>;
  /** Closes the file so that a later {@link openPartialFile} can continue it. Safe to call again and after {@link keep}. */
  leave(): Promise<void>;
}

/**
 * Opens `<toFile>.partial`. The content that an interrupted run left there is overwritten or, with `resume`, continued. A missing folder is
 * created. Two transfers must not have the same target at the same time.
 * @throws AppError `disk_full`, `storage_failed`.
 */
export async function openPartialFile(toFile: string, { resume = false } = {}): Promise<PartialFile> {
  const path = `${toFile}.partial`;
  const file = await onDisk(async () => {
    await mkdir(dirname(toFile), { recursive: true });
    return open(path, resume ? constants.O_RDWR | constants.O_CREAT : 'w');
  });
  let written = resume ? (await onDisk(() => file.stat())).size : 0;
  let done = false;

  return {
    written_bytes: () => written,
    append: async (body, { maxBytes, idleMs, signal, onChunk }) => {
      addAbortSignal(signal, body);
      const watchdog = setTimeout(() => body.destroy(new StalledError()), idleMs);
      try {
        for await (const chunk of body as AsyncIterable<Buffer>) {
          watchdog.refresh();
          if (written + chunk.length > maxBytes) throw new AppError('too_large', message('fetched_file_too_large'));
          await onDisk(() => writeAll(file, chunk, written));
          written += chunk.length;
          onChunk?.(chunk);
        }
      } finally {
        clearTimeout(watchdog);
      }
    },
    restart: async () => {
      await onDisk(() => file.truncate(0));
      written = 0;
    },
    keep: async () => {
      done = true;
      await onDisk(async () => {
        await file.close();
        await rename(path, toFile);
      });
    },
    discard: async () => {
      if (done) return;
      done = true;
      await file.close();
      await rm(path, { force: true });
    },
    leave: async () => {
      if (done) return;
      done = true;
      await file.close();
    },
  };
}

async function writeAll(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let offset = 0; offset < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, offset, chunk.length - offset, position + offset);
    offset += bytesWritten;
  }
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isDiskFull(error)) throw new AppError('disk_full', DISK_FULL);
    throw new AppError('storage_failed', message('fetched_file_not_written'));
  }
}
