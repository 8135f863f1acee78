import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Thumbnail } from '../../core/ports/local-jobs.ts';
import { drawCoverSheet } from '../images/draw-cover-sheet.ts';
import type { CoversPayload } from './child-protocol.ts';
import type { JobContext } from './child-runtime.ts';

/** Handler of `draw_covers` jobs. */
export async function drawCovers(payload: unknown, context: JobContext): Promise<Uint8Array> {
  await context.started(0);
  const { covers, px } = payload as CoversPayload;
  const files = new Map<string, Promise<FileHandle | undefined>>();
  const fileAt = (path: string) => {
    const opened = files.get(path) ?? open(path).catch(() => undefined);
    files.set(path, opened);
    return opened;
  };
  try {
    const read = (thumbnail: Thumbnail | undefined) => thumbnail && readThumbnail(thumbnail, fileAt(thumbnail.path));
    const images = await Promise.all(covers.map((thumbnails) => Promise.all(thumbnails.map(read))));
    if (images.flat().every((bytes) => bytes === undefined))
      throw new AppError('not_found', message('image_not_found'));
    return await drawCoverSheet(images, px);
  } finally {
    for (const file of files.values()) await (await file)?.close();
  }
}

/** Reads a thumbnail; undefined when its bytes are missing or do not match their checksum. */
async function readThumbnail(
  { offset, length, crc32: expected }: Thumbnail,
  opened: Promise<FileHandle | undefined>,
): Promise<Buffer | undefined> {
  try {
    const file = await opened;
    if (file === undefined) return undefined;
    const bytes = Buffer.alloc(length ?? (await file.stat()).size - offset);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
    return bytesRead === bytes.length && (expected === null || crc32(bytes) === expected) ? bytes : undefined;
  } catch {
    return undefined;
  }
}
