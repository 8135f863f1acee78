import { type Affine, followedBy } from './affine.ts';
import type { Luma } from './image-planes.ts';
import type { Patch, SmallImage, Turned } from './small-image.ts';

/** A way in which one small image may lie on another. */
export interface Place {
  /** Correlation of the brightness where both images are. */
  correlation: number;
  /** Transformation from pixels of `a` to pixels of `b`, right to about two pixels. */
  affine: Affine;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Finds where a small image lies on another: stretched over it in any quarter turn, or one within the other as a crop or with a frame. All
 * places are tried, because images of 16 pixels have few, and corners cannot be found in them.
 * @returns The best place of each kind, the best first.
 */
export function placesOf(a: SmallImage, b: SmallImage): Place[] {
  const [uprightA, uprightB] = [a.turns[0], b.turns[0]] as [Turned, Turned];
  const [wholeA, wholeB] = [wholeOf(a.luma), wholeOf(b.luma)];
  const stretched = b.turns.map((turn) => ({
    correlation: correlationOf(uprightA.square.data, turn.square.data),
    affine: followedBy(between(wholeA, wholeOf(turn)), unturned(turn)),
  }));
  const inA = bestWithin(a.searched, b.patches);
  const inB = bestWithin(b.searched, a.patches);
  return [
    ...stretched,
    { correlation: inA.correlation, affine: between(scaled(inA.box, uprightA, a.searched), wholeB) },
    { correlation: inB.correlation, affine: between(wholeA, scaled(inB.box, uprightB, b.searched)) },
  ].sort((one, other) => other.correlation - one.correlation);
}

/** Finds where one of some patches correlates best with a part of an image. */
function bestWithin({ width, height, data }: Luma, patches: readonly Patch[]): { correlation: number; box: Box } {
  let best = { correlation: -1, box: { left: 0, top: 0, width, height } };
  for (const patch of patches) {
    const n = patch.data.length;
    for (let top = 0; top <= height - patch.height; top += 1) {
      for (let left = 0; left <= width - patch.width; left += 1) {
        let [sum, squares, product] = [0, 0, 0];
        for (let y = 0; y < patch.height; y += 1) {
          const from = (top + y) * width + left;
          const inPatch = y * patch.width;
          for (let x = 0; x < patch.width; x += 1) {
            const level = data[from + x] as number;
            sum += level;
            squares += level * level;
            product += level * (patch.data[inPatch + x] as number);
          }
        }
        const correlation = product / Math.sqrt(Math.max(1, squares - (sum * sum) / n));
        if (correlation <= best.correlation) continue;
        best = { correlation, box: { left, top, width: patch.width, height: patch.height } };
      }
    }
  }
  return best;
}

function correlationOf(a: Float32Array, b: Float32Array): number {
  let product = 0;
  for (let at = 0; at < a.length; at += 1) product += (a[at] as number) * (b[at] as number);
  return product;
}

function wholeOf({ width, height }: { width: number; height: number }): Box {
  return { left: 0, top: 0, width, height };
}

/** Converts a box of the searched image to the size at which images are compared. */
function scaled({ left, top, width, height }: Box, image: Turned, searched: Luma): Box {
  const [across, down] = [image.width / searched.width, image.height / searched.height];
  return { left: left * across, top: top * down, width: width * across, height: height * down };
}

/** Returns the transformation between the pixels of two boxes. */
function between(from: Box, to: Box): Affine {
  const [across, down] = [to.width / from.width, to.height / from.height];
  return [across, 0, (0.5 - from.left) * across + to.left - 0.5, 0, down, (0.5 - from.top) * down + to.top - 0.5];
}

/** Returns the transformation from pixels of a turned image to those of the upright image. */
function unturned({ quarters, width, height }: Turned): Affine {
  if (quarters === 1) return [0, 1, 0, -1, 0, width - 1];
  if (quarters === 2) return [-1, 0, width - 1, 0, -1, height - 1];
  if (quarters === 3) return [0, -1, height - 1, 1, 0, 0];
  return [1, 0, 0, 0, 1, 0];
}
