import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { AppError } from '../../contract/errors.ts';
import type { Thumbnail } from '../../core/ports/local-jobs.ts';
import { drawCover } from '../images/draw-cover.ts';
import type { JobContext } from './child-runtime.ts';

/** Handler of `compose_cover` jobs. */
export async function composeCover(payload: unknown, context: JobContext): Promise<Uint8Array> {
  await context.started(0);
  const thumbnails = await Promise.all((payload as Thumbnail[]).map(readThumbnail));
  if (thumbnails.every((bytes) => bytes === undefined)) throw new AppError('not_found', 'Image not found');
  return drawCover(thumbnails);
}

/** Reads a thumbnail; undefined when its bytes are missing or do not match their checksum. */
async function readThumbnail({ path, offset, length, crc32: wanted }: Thumbnail): Promise<Buffer | undefined> {
  try {
    await using file = await open(path);
    const bytes = Buffer.alloc(length ?? (await file.stat()).size - offset);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
    return bytesRead === bytes.length && (wanted === null || crc32(bytes) === wanted) ? bytes : undefined;
  } catch {
    return undefined;
  }
}
