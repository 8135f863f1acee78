import { closeSync, openSync, readSync } from 'node:fs';
import type { StoredThumbnail } from '../../core/ports/duplicates.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import { sharp } from '../images/sharp-runtime.ts';

/** Brightness of each pixel of an image, 0 … 255, row by row. */
export interface Luma {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Reads the encoded bytes of a stored thumbnail. */
function readThumbnail({ path, offset, bytes }: StoredThumbnail): Buffer {
  const target = Buffer.alloc(bytes);
  const file = openSync(path, 'r');
  try {
    for (let done = 0; done < bytes; ) {
      const read = readSync(file, target, done, bytes - done, offset + done);
      if (read === 0) break;
      done += read;
    }
  } finally {
    closeSync(file);
  }
  return target;
}

/** Decodes a thumbnail in colour; undefined for a damaged thumbnail, which is created again elsewhere. */
export async function readWorking(thumbnail: StoredThumbnail): Promise<WorkingImage | undefined> {
  try {
    const { data, info } = await sharp(readThumbnail(thumbnail))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}

/** Decodes the brightness of a thumbnail at the given size; undefined for a damaged thumbnail. */
export async function readLuma(thumbnail: StoredThumbnail, longestSide: number): Promise<Luma | undefined> {
  try {
    const { data, info } = await sharp(readThumbnail(thumbnail))
      .resize(longestSide, longestSide, { fit: 'inside', kernel: 'cubic' })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data };
  } catch {
    return undefined;
  }
}

/** Mirrors an image horizontally. */
export function mirrored({ width, height, data }: Luma): Luma {
  const turned = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    const from = y * width;
    for (let x = 0; x < width; x += 1) turned[from + x] = data[from + width - 1 - x] as number;
  }
  return { width, height, data: turned };
}
