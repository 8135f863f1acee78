import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import type { StoredThumbnail } from '../../core/ports/duplicates.ts';
import type { ImageFeatures } from './image-features.ts';
import { PREFILTER_CORNERS } from './prefilter.ts';

/** Size in bytes of the checksum and the count before the corners, of a corner's position, and of its descriptor. */
const [HEAD_BYTES, POINT_BYTES, DESCRIPTION_BYTES] = [8, 4, 32];
const RECORD_BYTES = HEAD_BYTES + PREFILTER_CORNERS * (POINT_BYTES + DESCRIPTION_BYTES);
/** Positions are stored in this part of a pixel. */
const STEPS_PER_PX = 64;

/**
 * Prefilter corners of images by row, 5.4 kB each, for all processes that compare images and for later additions. A record carries a checksum of
 * its thumbnail's position and of its content, so records of other items, and those that are not written completely, are ignored. The file may
 * be deleted at any time.
 */
export class FeatureFile {
  #file: number | undefined;

  constructor(path: string) {
    // Opened for reading and writing at any position; created, not emptied.
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT);
  }

  /** Later calls read and write nothing: a stopped job may still be preparing images. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Returns the corners of an image; undefined if they are not stored. */
  read(thumbnail: StoredThumbnail): ImageFeatures | undefined {
    if (this.#file === undefined) return undefined;
    const record = Buffer.alloc(RECORD_BYTES);
    const bytesRead = readSync(this.#file, record, 0, RECORD_BYTES, thumbnail.row * RECORD_BYTES);
    const count = record.readUInt32LE(4);
    const end = HEAD_BYTES + count * (POINT_BYTES + DESCRIPTION_BYTES);
    if (bytesRead < HEAD_BYTES || count > PREFILTER_CORNERS || end > bytesRead) return undefined;
    if (record.readUInt32LE(0) !== checksumOf(thumbnail, record.subarray(4, end))) return undefined;
    const points = new Float32Array(count * 2);
    for (let at = 0; at < points.length; at += 1) points[at] = record.readUInt16LE(HEAD_BYTES + at * 2) / STEPS_PER_PX;
    return { points, descriptions: new Uint8Array(record.subarray(HEAD_BYTES + count * POINT_BYTES, end)) };
  }

  /** Stores the corners of an image. */
  write(thumbnail: StoredThumbnail, { points, descriptions }: ImageFeatures): void {
    if (this.#file === undefined) return;
    const count = Math.min(PREFILTER_CORNERS, points.length / 2);
    const record = Buffer.alloc(HEAD_BYTES + count * (POINT_BYTES + DESCRIPTION_BYTES));
    record.writeUInt32LE(count, 4);
    for (let at = 0; at < count * 2; at += 1)
      record.writeUInt16LE(Math.round((points[at] as number) * STEPS_PER_PX), HEAD_BYTES + at * 2);
    record.set(descriptions.subarray(0, count * DESCRIPTION_BYTES), HEAD_BYTES + count * POINT_BYTES);
    record.writeUInt32LE(checksumOf(thumbnail, record.subarray(4)), 0);
    writeSync(this.#file, record, 0, record.length, thumbnail.row * RECORD_BYTES);
  }
}

function checksumOf({ path, offset, bytes }: StoredThumbnail, content: Uint8Array): number {
  return crc32(content, crc32(`${basename(path)}:${offset}:${bytes}`));
}
