import type { WorkingImage } from '../images/decode-image.ts';

/** Brightness of each pixel of an image, 0 … 255, row by row. */
export interface Luma {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Luma and two chroma channels, interleaved, each 0 … 255; chroma is 128 for grey. */
export interface ColourGrid {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Computes the luma (ITU-R BT.601) of RGB pixels. */
export function lumaOf({ data, width, height }: WorkingImage): Luma {
  const luma = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < luma.length; pixel += 1, at += 3) {
    luma[pixel] =
      ((data[at] as number) * 19595 + (data[at + 1] as number) * 38470 + (data[at + 2] as number) * 7471 + 32768) >> 16;
  }
  return { width, height, data: luma };
}

/** Computes the colours of cells of `side` × `side` pixels. An odd rest of the size is left out. */
export function coloursOf({ data, width, height }: WorkingImage, side: number): ColourGrid {
  const [across, down] = [Math.floor(width / side), Math.floor(height / side)];
  const colours = new Uint8Array(across * down * 3);
  const pixels = side * side;
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across; x += 1) {
      let [red, green, blue] = [0, 0, 0];
      for (let row = y * side; row < (y + 1) * side; row += 1) {
        let at = (row * width + x * side) * 3;
        for (const end = at + side * 3; at < end; at += 3) {
          red += data[at] as number;
          green += data[at + 1] as number;
          blue += data[at + 2] as number;
        }
      }
      const level = (0.299 * red + 0.587 * green + 0.114 * blue) / pixels;
      const to = (y * across + x) * 3;
      colours[to] = level;
      colours[to + 1] = 128 + 0.564 * (blue / pixels - level);
      colours[to + 2] = 128 + 0.713 * (red / pixels - level);
    }
  }
  return { width: across, height: down, data: colours };
}

/** Halves an image: each pixel is the mean of four. An odd row or column at the end is omitted. */
export function halved({ width, height, data }: Luma): Luma {
  const half = { width: width >> 1, height: height >> 1, data: new Uint8Array((width >> 1) * (height >> 1)) };
  for (let y = 0; y < half.height; y += 1) {
    for (let x = 0; x < half.width; x += 1) {
      const from = 2 * (y * width + x);
      const upper = (data[from] as number) + (data[from + 1] as number);
      const lower = (data[from + width] as number) + (data[from + width + 1] as number);
      half.data[y * half.width + x] = (upper + lower + 2) >> 2;
    }
  }
  return half;
}

/** Mirrors RGB pixels horizontally. */
export function mirrored({ data, width, height }: WorkingImage): WorkingImage {
  const turned = Buffer.allocUnsafe(data.length);
  for (let y = 0; y < height; y += 1) {
    const row = y * width * 3;
    for (let x = 0, from = row + (width - 1) * 3, to = row; x < width; x += 1, from -= 3, to += 3) {
      turned[to] = data[from] as number;
      turned[to + 1] = data[from + 1] as number;
      turned[to + 2] = data[from + 2] as number;
    }
  }
  return { data: turned, width, height };
}
