import type { Affine } from './affine.ts';
import type { ColourSamples } from './colour-change.ts';
import type { ColourGrid } from './image-planes.ts';

/** Share of the difference between neighbours that an error of the alignment may cause. */
const MISALIGNED = 0.75;

/** Samples that both images cover, and the places of the samples in the grid of the first image. */
export interface PlacedSamples extends ColourSamples {
  places: Int32Array;
}

/** Reads the colours of the other image at the places of the first image's grid (bilinear), without the edges of both. */
export function sampleColours(base: ColourGrid, other: ColourGrid, toOther: Affine): PlacedSamples {
  const [xx, xy, x0, yx, yy, y0] = toOther;
  const most = base.width * base.height;
  const [a, b] = [new Float32Array(most * 3), new Float32Array(most * 3)];
  const [tolerance, places] = [new Float32Array(most), new Int32Array(most)];
  let count = 0;
  for (let y = 1; y < base.height - 1; y += 1) {
    for (let x = 1; x < base.width - 1; x += 1) {
      const inX = xx * x + xy * y + x0;
      const inY = yx * x + yy * y + y0;
      if (inX < 1 || inY < 1 || inX > other.width - 2 || inY > other.height - 2) continue;
      const place = y * base.width + x;
      const left = inX | 0;
      const top = inY | 0;
      const from = (top * other.width + left) * 3;
      const right = left + 1 < other.width ? 3 : 0;
      const down = top + 1 < other.height ? other.width * 3 : 0;
      const [toRight, toBottom] = [inX - left, inY - top];
      let steepest = 0;
      for (let channel = 0; channel < 3; channel += 1) {
        const level = base.data[place * 3 + channel] as number;
        const [upper, upperRight] = [
          other.data[from + channel] as number,
          other.data[from + right + channel] as number,
        ];
        const lower = other.data[from + down + channel] as number;
        const lowerRight = other.data[from + down + right + channel] as number;
        const above = upper + (upperRight - upper) * toRight;
        const below = lower + (lowerRight - lower) * toRight;
        const shift = channel === 0 ? 0 : 128;
        a[count * 3 + channel] = level - shift;
        b[count * 3 + channel] = above + (below - above) * toBottom - shift;
        const across = Math.max(Math.abs(upperRight - upper), Math.abs(lowerRight - lower));
        const along = Math.max(Math.abs(lower - upper), Math.abs(lowerRight - upperRight));
        steepest = Math.max(steepest, across, along, steepestAt(base, x, y, channel));
      }
      tolerance[count] = steepest * MISALIGNED;
      places[count] = place;
      count += 1;
    }
  }
  return { count, a, b, tolerance, places };
}

/** Returns the largest difference of a channel to the four neighbours. */
function steepestAt({ width, height, data }: ColourGrid, x: number, y: number, channel: number): number {
  const at = (y * width + x) * 3 + channel;
  const level = data[at] as number;
  const [left, right] = [x > 0 ? at - 3 : at, x + 1 < width ? at + 3 : at];
  const [up, down] = [y > 0 ? at - width * 3 : at, y + 1 < height ? at + width * 3 : at];
  return Math.max(
    Math.abs(level - (data[left] as number)),
    Math.abs(level - (data[right] as number)),
    Math.abs(level - (data[up] as number)),
    Math.abs(level - (data[down] as number)),
  );
}
