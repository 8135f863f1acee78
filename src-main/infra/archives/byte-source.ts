import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

const WINDOW_BYTES = 256 * 1024;

/** Sequential reader with constant memory use. Allows one call at a time. */
export interface ByteSource {
  /** Returns the next bytes, at least one and at most `maxBytes`; null at the end. The buffer stays valid. */
  next(maxBytes: number): Promise<Buffer | null>;
  /** Skips bytes. @throws AppError `invalid_request` when fewer bytes are left. */
  skip(nBytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Reads exactly this many bytes; null at the end. @throws AppError `invalid_request` when bytes are left, but fewer. */
export async function readExactly(source: ByteSource, nBytes: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let missing = nBytes;
  while (missing > 0) {
    const part = await source.next(missing);
    if (part === null) {
      if (parts.length === 0) return null;
      throw truncated();
    }
    parts.push(part);
    missing -= part.length;
  }
  const [only] = parts;
  return parts.length === 1 && only ? only : Buffer.concat(parts);
}

/** Opens an uncompressed file; skipping reads nothing. */
export async function openFileSource(path: string): Promise<ByteSource> {
  const file = await open(path);
  const { size } = await file.stat();
  let position = 0;
  let held: Buffer = Buffer.alloc(0);
  let heldAt = 0;
  return {
    next: async (maxBytes) => {
      if (position < heldAt || position >= heldAt + held.length) {
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(WINDOW_BYTES), 0, WINDOW_BYTES, position);
        held = buffer.subarray(0, bytesRead);
        heldAt = position;
      }
      const part = held.subarray(position - heldAt, position - heldAt + maxBytes);
      position += part.length;
      return part.length === 0 ? null : part;
    },
    skip: async (nBytes) => {
      if (position + nBytes > size) throw truncated();
      position += nBytes;
    },
    close: () => file.close(),
  };
}

/** Opens the unpacked content of a gzip file. `meter` is called with the current totals after every chunk and may throw. */
export function openGzipSource(
  path: string,
  signal: AbortSignal,
  meter: (unpackedBytes: number, packedBytes: number) => void,
): ByteSource {
  const packed = createReadStream(path, { highWaterMark: WINDOW_BYTES });
  const unpacked = addAbortSignal(signal, createGunzip({ chunkSize: WINDOW_BYTES }));
  packed.on('error', (error) => unpacked.destroy(error));
  packed.pipe(unpacked);
  const chunks: AsyncIterator<Buffer> = unpacked[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  let unpackedBytes = 0;
  const next = async (maxBytes: number): Promise<Buffer | null> => {
    if (held.length === 0) {
      const { done, value } = await chunks.next();
      if (done) return null;
      held = value;
      unpackedBytes += held.length;
      meter(unpackedBytes, packed.bytesRead);
    }
    const part = held.subarray(0, maxBytes);
    held = held.subarray(part.length);
    return part;
  };
  return {
    next,
    skip: async (nBytes) => {
      for (let missing = nBytes; missing > 0; ) {
        const part = await next(missing);
        if (part === null) throw truncated();
        missing -= part.length;
      }
    },
    close: async () => {
      packed.destroy();
      unpacked.destroy();
    },
  };
}

function truncated(): AppError {
  return new AppError('invalid_request', message('archive_truncated'));
}
