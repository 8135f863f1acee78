import { CellStatistics, type PartStatistics } from './cell-statistics.ts';
import type { ColourDifference } from './colour-difference.ts';

/** Minimum share of a part that both images must cover. */
const COVERED = 0.5;
/** Standard deviations in grey levels from which a part has enough texture to compare, and from which it has full weight. */
const [TEXTURED, FULL_CONTRAST] = [3, 12];
/**
 * Maximum residual of parts that agree: a share of their contrast, or a multiple of the residual that an edit of the whole image leaves
 * everywhere, which is that of the best quarter of the blocks. A part with twice as much differs altogether.
 */
const [MAX_RESIDUAL, NOISES, BEST] = [0.45, 2.5, 0.25];
/**
 * Shares of plain blocks between which the weight of a plain block falls from 1 to PLAIN_WEIGHT. Of an image that is mostly plain ground, the
 * object counts; of others the area.
 */
const [FEW_PLAIN, MANY_PLAIN, PLAIN_WEIGHT] = [0.3, 0.5, 0.15];
/** Minimum share of a block's colours that must differ to count. */
const COLOUR_NOISE = 0.1;
/** Images whose structure agrees less than this are different, whatever their colours are. */
const LEAST_STRUCTURE = 0.5;

export interface Agreement {
  /** Share of the image that agrees in structure and in colour: 0 … 1. */
  share: number;
  /** Number of textured blocks. */
  blocks: number;
  /** Median correlation of the textured blocks that correlate enough to agree; 0 without such blocks. */
  typical: number;
}

interface Block extends PartStatistics {
  nth: number;
  cells: number[];
  /** 0 … 1, from plain to full contrast. */
  texture: number;
}

/** Sizes of the parts of an image that are compared. */
export interface Parts {
  /** Side of a block in pixels. */
  block_px: number;
  /** Number of cells along a side of a block, each large enough to be compared alone. */
  cells: number;
  /** Minimum correlation of parts that agree. */
  agrees: number;
}

/**
 * Computes how much of two superimposed images agrees: the share of blocks whose brightness correlates, less the share of blocks whose
 * colours differ. Correlation ignores brightness and contrast. A block must correlate about as well as the rest of the image, because an edit
 * of the whole image leaves all blocks equally alike, and another object in the same pose does not. Of a block that differs, those of its
 * cells count that differ, so that a logo counts by its area.
 * @param covered 1 where both images are, otherwise 0.
 * @param coloursOf Compares the colours by block; called only if the structure agrees.
 */
export function agreementOf(
  a: Uint8Array,
  b: Uint8Array,
  covered: Uint8Array,
  size: { width: number; height: number },
  parts: Parts,
  coloursOf?: () => ColourDifference,
): Agreement {
  const cells = new CellStatistics(a, b, covered, size, parts.block_px / parts.cells);
  const blocks = blocksOf(cells, parts);
  const textured = blocks.filter(({ contrast }) => contrast >= TEXTURED);
  if (textured.length === 0) return { share: 0, blocks: 0, typical: 0 };
  const noise = noiseOf(textured, parts);
  const differing = new Map(textured.map((block) => [block, differenceOf(block, cells, noise, parts)]));
  const plainWeight = weightOfPlain(1 - textured.length / blocks.length);

  const structures = new WeightedShare();
  for (const block of blocks)
    structures.add(Math.max(plainWeight, block.texture), block.texture, differing.get(block) ?? 0);
  const structure = 1 - structures.value;
  const about = { blocks: textured.length, typical: typicalOf(textured, parts) };
  if (structure < LEAST_STRUCTURE || !coloursOf) return { share: structure, ...about };

  const { shares } = coloursOf();
  const colours = new WeightedShare();
  for (const block of blocks) {
    const share = shares[block.nth] ?? 0;
    const inColour = share < COLOUR_NOISE ? 0 : share;
    const weight = Math.max(plainWeight, block.texture, inColour);
    colours.add(weight, weight, inColour * (1 - (differing.get(block) ?? 0)));
  }
  return { share: structure * (1 - colours.value), ...about };
}

/** Returns the blocks that are covered. */
function blocksOf(statistics: CellStatistics, { block_px, cells: perSide }: Parts): Block[] {
  const blocks: Block[] = [];
  const across = Math.ceil(statistics.across / perSide);
  for (let nth = 0; nth < across * Math.ceil(statistics.down / perSide); nth += 1) {
    const [left, top] = [perSide * (nth % across), perSide * Math.floor(nth / across)];
    const cells: number[] = [];
    for (let y = top; y < Math.min(statistics.down, top + perSide); y += 1)
      for (let x = left; x < Math.min(statistics.across, left + perSide); x += 1) cells.push(y * statistics.across + x);
    const whole = statistics.of(cells);
    if (whole.pixels < block_px * block_px * COVERED) continue;
    const texture = Math.min(1, Math.max(0, whole.contrast - TEXTURED) / (FULL_CONTRAST - TEXTURED));
    blocks.push({ ...whole, nth, cells, texture });
  }
  return blocks;
}

/** Returns the residual, in grey levels, of the best quarter of the blocks that correlate. */
function noiseOf(textured: readonly Block[], { agrees }: Parts): number {
  const residuals = textured.flatMap(({ correlation, residual }) => (correlation >= agrees ? [residual] : []));
  return residuals.sort((one, other) => one - other)[Math.floor(residuals.length * BEST)] ?? 0;
}

function typicalOf(textured: readonly Block[], { agrees }: Parts): number {
  const correlations = textured.map(({ correlation }) => correlation).filter((correlation) => correlation >= agrees);
  return correlations.sort((one, other) => one - other)[correlations.length >> 1] ?? 0;
}

/** Returns the share of a block that differs: 0 if it agrees as a whole, otherwise that of its cells. */
function differenceOf(
  block: Block,
  cells: CellStatistics,
  noise: number,
  { block_px, cells: perSide, agrees }: Parts,
): number {
  const whole = excessOf(block, noise, agrees);
  if (whole === 0) return 0;
  const parts = block.cells
    .map((cell) => cells.of([cell]))
    .filter(({ pixels }) => pixels >= (block_px / perSide) ** 2 * COVERED);
  return parts.length === 0
    ? whole
    : parts.reduce((sum, part) => sum + excessOf(part, noise, agrees), 0) / parts.length;
}

/** Returns how much a part differs: 0 for one that agrees and for a plain one. */
function excessOf({ contrast, correlation, residual }: PartStatistics, noise: number, agrees: number): number {
  if (contrast < TEXTURED) return 0;
  if (correlation < agrees) return 1;
  return Math.min(1, Math.max(0, residual / Math.max(MAX_RESIDUAL * contrast, NOISES * noise) - 1));
}

function weightOfPlain(plain: number): number {
  const few = Math.min(1, Math.max(0, (MANY_PLAIN - plain) / (MANY_PLAIN - FEW_PLAIN)));
  return PLAIN_WEIGHT + few * (1 - PLAIN_WEIGHT);
}

/** Share of a sum of weights. */
class WeightedShare {
  #sum = 0;
  #weights = 0;

  /** Adds `weight` to the whole, and `share` of `part` to the sum. */
  add(weight: number, part: number, share: number): void {
    this.#weights += weight;
    this.#sum += part * share;
  }

  get value(): number {
    return this.#weights === 0 ? 0 : this.#sum / this.#weights;
  }
}
