import type { Affine } from './affine.ts';
import type { Luma } from './image-planes.ts';
import { accumulate, solve } from './linear-equations.ts';

const ROUNDS = 8;
/** Differences of more levels than this have little influence (Cauchy's weights): they are where the images differ. */
const SCALE = 16;
/** Minimum number of pixels that both images must cover. */
const LEAST_PX = 48;
/** Weight, in pixels with a gradient of one level, of the assumption that the transformation is right already. */
const PRIOR = 50;
/** Unknowns: the changes of the six values of the transformation, and gain and offset of the brightness. */
const TERMS = 8;

/**
 * Moves a transformation from `a` to `b` so that brightness differs least, after a gain and an offset for the whole image (Gauss-Newton:
 * Lucas & Kanade, IJCAI 1981; Baker & Matthews, IJCV 56(3), 2004). The transformation must be right to about two pixels.
 */
export function refineAffine(a: Luma, b: Luma, start: Affine): Affine {
  let affine = start;
  let gain = 1;
  let offset = 0;
  const terms = new Float64Array(TERMS);
  const [middleX, middleY] = [a.width / 2, a.height / 2];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [xx, xy, x0, yx, yy, y0] = affine;
    const left = new Float64Array(TERMS * TERMS);
    const right = new Float64Array(TERMS);
    let n = 0;
    for (let y = 0; y < a.height; y += 1) {
      for (let x = 0; x < a.width; x += 1) {
        const inX = xx * x + xy * y + x0;
        const inY = yx * x + yy * y + y0;
        if (inX < 0 || inY < 0 || inX >= b.width - 1 || inY >= b.height - 1) continue;
        const toRight = inX - (inX | 0);
        const toBottom = inY - (inY | 0);
        const at = (inY | 0) * b.width + (inX | 0);
        const upper = b.data[at] as number;
        const upperRight = b.data[at + 1] as number;
        const lower = b.data[at + b.width] as number;
        const lowerRight = b.data[at + b.width + 1] as number;
        const level =
          (upper + (upperRight - upper) * toRight) * (1 - toBottom) +
          (lower + (lowerRight - lower) * toRight) * toBottom;
        const slopeX = (upperRight - upper) * (1 - toBottom) + (lowerRight - lower) * toBottom;
        const slopeY = (lower - upper) * (1 - toRight) + (lowerRight - upperRight) * toRight;
        const target = a.data[y * a.width + x] as number;
        const weight = round === 0 ? 1 : 1 / (1 + ((target - gain * level - offset) / SCALE) ** 2);
        const [u, v] = [(x - middleX) / middleX, (y - middleY) / middleY];
        terms[0] = gain * slopeX * u;
        terms[1] = gain * slopeX * v;
        terms[2] = gain * slopeX;
        terms[3] = gain * slopeY * u;
        terms[4] = gain * slopeY * v;
        terms[5] = gain * slopeY;
        terms[6] = level;
        terms[7] = 1;
        accumulate(left, right, weight, terms, target);
        n += 1;
      }
    }
    if (n < LEAST_PX) return start;
    for (let term = 0; term < 6; term += 1) left[term * (TERMS + 1)] = (left[term * (TERMS + 1)] as number) + PRIOR;
    left[TERMS * TERMS - 1] = (left[TERMS * TERMS - 1] as number) + 1e-3;
    const [xu = 0, xv = 0, x1 = 0, yu = 0, yv = 0, y1 = 0, newGain = 1, newOffset = 0] = solve(left, right);
    gain = newGain;
    offset = newOffset;
    affine = [
      xx + xu / middleX,
      xy + xv / middleY,
      x0 + x1 - xu - xv,
      yx + yu / middleX,
      yy + yv / middleY,
      y0 + y1 - yu - yv,
    ];
  }
  return affine.every(Number.isFinite) ? affine : start;
}
