/** Side in pixels of the blocks that are compared one by one. */
export const BLOCK_PX = 16;
/** Minimum share of a block that both images must cover. */
const COVERED = 0.5;
/** Minimum standard deviation in grey levels of a block with enough texture to compare. */
const TEXTURED = 3;
/** Minimum correlation of blocks that agree. */
const AGREES = 0.7;
/** Standard deviation in grey levels from which a block has full weight, and the weight of a plain block. */
const [FULL_CONTRAST, PLAIN_WEIGHT] = [12, 0.15];
/** Minimum share of a block's colours that must differ to count. */
const COLOUR_NOISE = 0.1;

export interface Agreement {
  /** Share of the textured part that agrees, less the share whose colours differ: 0 … 1. */
  share: number;
  /** Number of textured blocks. */
  blocks: number;
}

/** Share of a block's colours that differ, by the position of the block's upper left pixel; -1 where nothing is known. */
export type ColourDifference = (left: number, top: number) => number;

/**
 * Computes how much of two superimposed images agrees: the share of textured blocks whose brightness correlates, less the share of blocks
 * whose colours differ. Correlation ignores brightness and contrast, and with blocks a logo or a border does not affect the rest. Blocks are
 * weighted by contrast, or by area if that says more: fine texture that compression destroys counts little, and a logo counts by its area
 * rather than by its contrast.
 * @param covered Nonzero where both images are.
 */
export function agreementOf(
  a: Uint8Array,
  b: Uint8Array,
  covered: Uint8Array,
  { width, height }: { width: number; height: number },
  colourDifference: ColourDifference = () => 0,
): Agreement {
  let blocks = 0;
  const [byContrast, byArea, colours] = [new WeightedShare(), new WeightedShare(), new WeightedShare()];
  for (let top = 0; top < height; top += BLOCK_PX) {
    for (let left = 0; left < width; left += BLOCK_PX) {
      const block = compareBlock(a, b, covered, { left, top, width, height });
      if (!block) continue;
      const inColour = colourDifference(left, top);
      const differing = inColour < COLOUR_NOISE ? 0 : inColour;
      const textured = Math.min(1, Math.max(0, block.contrast - TEXTURED) / (FULL_CONTRAST - TEXTURED));
      colours.add(Math.max(PLAIN_WEIGHT, textured, differing), block.agrees ? differing : 0);
      if (block.contrast < TEXTURED) continue;
      blocks += 1;
      byContrast.add(block.contrast, Number(block.agrees));
      byArea.add(textured, Number(block.agrees));
    }
  }
  return { share: Math.max(byContrast.value, byArea.value) * (1 - colours.value), blocks };
}

class WeightedShare {
  #sum = 0;
  #weights = 0;

  add(weight: number, share: number): void {
    this.#sum += weight * share;
    this.#weights += weight;
  }

  get value(): number {
    return this.#weights === 0 ? 0 : this.#sum / this.#weights;
  }
}

/** Compares the brightness of a block; undefined for a block that is not covered. */
function compareBlock(
  a: Uint8Array,
  b: Uint8Array,
  covered: Uint8Array,
  { left: from, top, width, height }: { left: number; top: number; width: number; height: number },
): { agrees: boolean; contrast: number } | undefined {
  let [n, sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0, 0];
  for (let y = top; y < Math.min(height, top + BLOCK_PX); y += 1) {
    for (let at = y * width + from; at < y * width + Math.min(width, from + BLOCK_PX); at += 1) {
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
  if (contrast < TEXTURED) return { contrast, agrees: true };
  const scale = deviationA * deviationB;
  const correlation = scale === 0 ? 0 : (sumAB / n - meanA * meanB) / scale;
  return { contrast, agrees: correlation >= AGREES };
}
