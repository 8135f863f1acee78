import type { Affine } from './affine.ts';
import type { Luma } from './image-planes.ts';

/**
 * Resamples the other image in the pixels of `base` (bilinear), and marks the pixels that both images cover.
 * @param margin Width in pixels of the edge of both images that does not count: a blurred edge contains what is beside it, such as the ground
 *   of a rotated image.
 */
export function superimpose(
  base: { width: number; height: number },
  { width, height, data }: Luma,
  [xx, xy, x0, yx, yy, y0]: Affine,
  margin: number,
): { laid: Uint8Array; covered: Uint8Array } {
  const laid = new Uint8Array(base.width * base.height);
  const covered = new Uint8Array(laid.length);
  // The innermost loop of all comparisons: uses plain variables, because destructured arrays take three times as long here.
  const [mostX, mostY] = [width - 1 - margin, height - 1 - margin];
  for (let y = margin; y < base.height - margin; y += 1) {
    for (let x = margin; x < base.width - margin; x += 1) {
      const inX = xx * x + xy * y + x0;
      const inY = yx * x + yy * y + y0;
      if (inX < margin || inY < margin || inX > mostX || inY > mostY) continue;
      const left = inX | 0;
      const top = inY | 0;
      const from = top * width + left;
      const right = left + 1 < width ? from + 1 : from;
      const down = top + 1 < height ? width : 0;
      const toRight = inX - left;
      const upper = (data[from] as number) + ((data[right] as number) - (data[from] as number)) * toRight;
      const below = data[from + down] as number;
      const lower = below + ((data[right + down] as number) - below) * toRight;
      laid[y * base.width + x] = (upper + (lower - upper) * (inY - top) + 0.5) | 0;
      covered[y * base.width + x] = 1;
    }
  }
  return { laid, covered };
}
