import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';
import type { Message } from '../../contract/messages.ts';
import type { Pace } from '../../core/ports/read-limits.ts';

/** The SHA-256 that a file must have, in hexadecimal, and what is said if it has another. */
export interface StatedChecksum {
  sha256: string;
  otherwise: Message;
}

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

/** @throws AppError `invalid_request` if the file has another checksum. */
export async function assertChecksum(path: string, { sha256, otherwise }: StatedChecksum): Promise<void> {
  if ((await pacedChecksumOf(path, () => Promise.resolve())) !== sha256)
    throw new AppError('invalid_request', otherwise);
}
