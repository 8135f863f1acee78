import { closeSync, openSync, readSync } from 'node:fs';
import type { StoredThumbnail } from '../../core/ports/duplicates.ts';
import type { WorkingImage } from '../images/decode-image.ts';
import { sharp } from '../images/sharp-runtime.ts';
import type { ColourGrid } from './colour-samples.ts';

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

/** An image for a comparison: its brightness at full size and its colours at a quarter of the size. */
export interface Pictured {
  luma: Luma;
  colours: ColourGrid;
}

/** Decodes a thumbnail at the given size for a comparison; undefined for a damaged thumbnail. */
export async function readPictured(
  thumbnail: StoredThumbnail,
  longestSide: number,
  isMirrored: boolean,
): Promise<Pictured | undefined> {
  try {
    const { data, info } = await sharp(readThumbnail(thumbnail))
      .removeAlpha()
      .toColourspace('srgb')
      .resize(longestSide, longestSide, { fit: 'inside', kernel: 'cubic' })
      .flop(isMirrored)
      .raw()
      .toBuffer({ resolveWithObject: true });
    return picturedOf({ data, width: info.width, height: info.height });
  } catch {
    return undefined;
  }
}

/** Computes luma and chroma (ITU-R BT.601) of RGB pixels. An odd rest of the size is left out of the colours. */
export function picturedOf({ data, width, height }: WorkingImage): Pictured {
  const luma = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < luma.length; pixel += 1, at += 3) {
    luma[pixel] =
      ((data[at] as number) * 19595 + (data[at + 1] as number) * 38470 + (data[at + 2] as number) * 7471 + 32768) >> 16;
  }
  const [across, down] = [width >> 2, height >> 2];
  const colours = new Uint8Array(across * down * 3);
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across; x += 1) {
      let [red, green, blue] = [0, 0, 0];
      for (let inner = 0; inner < 16; inner += 1) {
        const at = ((y * 4 + (inner >> 2)) * width + x * 4 + (inner & 3)) * 3;
        red += data[at] as number;
        green += data[at + 1] as number;
        blue += data[at + 2] as number;
      }
      const level = (0.299 * red + 0.587 * green + 0.114 * blue) / 16;
      const to = (y * across + x) * 3;
      colours[to] = level;
      colours[to + 1] = 128 + 0.564 * (blue / 16 - level);
      colours[to + 2] = 128 + 0.713 * (red / 16 - level);
    }
  }
  return { luma: { width, height, data: luma }, colours: { width: across, height: down, data: colours } };
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
