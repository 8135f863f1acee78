/** Side in pixels of the blocks that are compared one by one. */
const BLOCK_PX = 16;
/** Minimum share of a block that both images must cover. */
const COVERED = 0.5;
/** Minimum standard deviation in grey levels of a block with enough texture to compare. */
const TEXTURED = 3;
/** Minimum correlation of blocks that agree. */
const AGREES = 0.7;

export interface Agreement {
  /** Share of the textured part that agrees, weighted by contrast: 0 … 1. */
  share: number;
  /** Number of textured blocks. */
  blocks: number;
}

/**
 * Computes how much of two superimposed images agrees: the share of textured blocks, weighted by their contrast, whose brightness
 * correlates. Correlation ignores brightness and contrast, and with blocks a logo or a border does not affect the rest.
 * @param covered Nonzero where both images are.
 */
export function agreementOf(
  a: Uint8Array,
  b: Uint8Array,
  covered: Uint8Array,
  { width, height }: { width: number; height: number },
): Agreement {
  let [agreeing, all, blocks] = [0, 0, 0];
  for (let top = 0; top < height; top += BLOCK_PX) {
    for (let left = 0; left < width; left += BLOCK_PX) {
      const block = compareBlock(a, b, covered, { left, top, width, height });
      if (!block) continue;
      blocks += 1;
      all += block.contrast;
      if (block.correlation >= AGREES) agreeing += block.contrast;
    }
  }
  return { share: all === 0 ? 0 : agreeing / all, blocks };
}

/** Compares a block; undefined for a block that is not covered or has too little texture. */
function compareBlock(
  a: Uint8Array,
  b: Uint8Array,
  covered: Uint8Array,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): { correlation: number; contrast: number } | undefined {
  let [n, sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0, 0];
  for (let y = top; y < Math.min(height, top + BLOCK_PX); y += 1) {
    for (let at = y * width + left; at < y * width + Math.min(width, left + BLOCK_PX); at += 1) {
      if (covered[at] === 0) continue;
      const [inA, inB] = [a[at] as number, b[at] as number];
      n += 1;
      sumA += inA;
      sumB += inB;
      sumAA += inA * inA;
      sumBB += inB * inB;
      sumAB += inA * inB;
    }
  }
  if (n < BLOCK_PX * BLOCK_PX * COVERED) return undefined;
  const [meanA, meanB] = [sumA / n, sumB / n];
  const deviationA = Math.sqrt(Math.max(0, sumAA / n - meanA * meanA));
  const deviationB = Math.sqrt(Math.max(0, sumBB / n - meanB * meanB));
  const contrast = Math.max(deviationA, deviationB);
  if (contrast < TEXTURED) return undefined;
  const scale = deviationA * deviationB;
  return { contrast, correlation: scale === 0 ? 0 : (sumAB / n - meanA * meanB) / scale };
}
