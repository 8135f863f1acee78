import { constants, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { AppError, DISK_FULL, isDiskFull } from '../../contract/errors.ts';

/** A transfer went on without a byte for too long. */
export class StalledError extends Error {
  constructor() {
    super('the transfer stalled');
    this.name = 'StalledError';
  }
}

export interface AppendLimits {
  /** The whole file may not grow past this. */
  maxBytes: number;
  /** A pause longer than this ends the transfer. */
  idleMs: number;
  signal: AbortSignal;
  /** Sees each chunk once it is written. */
  onChunk?: (chunk: Buffer) => void;
}

/** A file that is being fetched: it appears under its name whole or not at all. */
export interface PartialFile {
  written_bytes(): number;
  /**
   * Writes a body behind what there is.
   * @throws AppError `too_large`, `disk_full`, `storage_failed` (the disk); StalledError; AbortError; the body's own error.
   */
  append(body: Readable, limits: AppendLimits): Promise<void>;
  /** Forgets what there is. */
  restart(): Promise<void>;
  /** Closes the file and gives it its name. */
  keep(): Promise<void>;
  /** Closes and deletes the file. Safe to call again and after {@link keep}. */
  discard(): Promise<void>;
  /** Closes the file and leaves it for a later {@link openPartialFile} that goes on. Safe to call again and after {@link keep}. */
  leave(): Promise<void>;
}

/**
 * Starts `<to_file>.partial`, over what an interrupted run may have left there or, with `go_on`, behind it; the folder is made when
 * missing. No two transfers may have the same target at once.
 * @throws AppError `disk_full`, `storage_failed`.
 */
export async function openPartialFile(toFile: string, { go_on = false } = {}): Promise<PartialFile> {
  const path = `${toFile}.partial`;
  const file = await onDisk(async () => {
    await mkdir(dirname(toFile), { recursive: true });
    return open(path, go_on ? constants.O_RDWR | constants.O_CREAT : 'w');
  });
  let written = go_on ? (await onDisk(() => file.stat())).size : 0;
  let done = false;

  return {
    written_bytes: () => written,
    append: async (body, { maxBytes, idleMs, signal, onChunk }) => {
      addAbortSignal(signal, body);
      const watchdog = setTimeout(() => body.destroy(new StalledError()), idleMs);
      try {
        for await (const chunk of body as AsyncIterable<Buffer>) {
          watchdog.refresh();
          if (written + chunk.length > maxBytes) throw new AppError('too_large', 'The file is larger than allowed');
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
    throw new AppError('storage_failed', 'The fetched file cannot be written to the disk');
  }
}
