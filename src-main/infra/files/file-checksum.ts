import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Pace } from '../../core/ports/read-limits.ts';

const CHUNK_BYTES = 1024 * 1024;

/** SHA-256 of a file in hexadecimal, with constant memory use. It blocks the calling thread. */
export function checksumOf(path: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const opened = openSync(path, 'r');
  try {
    for (;;) {
      const read = readSync(opened, chunk, 0, CHUNK_BYTES, null);
      if (read === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, read));
    }
  } finally {
    closeSync(opened);
  }
}

/** Like {@link checksumOf}, without blocking and no faster than the pace. */
export async function pacedChecksumOf(path: string, pace: Pace): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const opened = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead } = await opened.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, bytesRead));
      await pace(bytesRead);
    }
  } finally {
    await opened.close();
  }
}
