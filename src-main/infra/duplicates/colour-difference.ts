import type { Affine } from './affine.ts';
import { differingColours } from './colour-change.ts';
import { sampleColours } from './colour-samples.ts';
import type { ColourGrid } from './image-planes.ts';

/** Shares of colours that differ by more than a change of the whole image, by cell of a grid of square cells. */
export interface ColourDifference {
  /** Number of cells side by side. */
  across: number;
  shares: Float32Array;
}

/**
 * Compares the colours of two superimposed images.
 * @param side Side of a cell, in pixels of the first grid.
 */
export function differenceOfColours(
  base: ColourGrid,
  other: ColourGrid,
  toOther: Affine,
  side: number,
): ColourDifference {
  const samples = sampleColours(base, other, toOther);
  const differs = differingColours(samples);
  const across = Math.ceil(base.width / side);
  const covered = new Uint16Array(across * Math.ceil(base.height / side));
  const shares = new Float32Array(covered.length);
  for (let at = 0; at < samples.count; at += 1) {
    const place = samples.places[at] as number;
    const y = Math.floor(place / base.width);
    const cell = Math.floor(y / side) * across + Math.floor((place - y * base.width) / side);
    covered[cell] = (covered[cell] as number) + 1;
    shares[cell] = (shares[cell] as number) + (differs[at] as number);
  }
  for (let cell = 0; cell < shares.length; cell += 1)
    shares[cell] = (shares[cell] as number) / Math.max(1, covered[cell] as number);
  return { across, shares };
}
