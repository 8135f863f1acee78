import { setImmediate as nextTurn } from 'node:timers/promises';
import { seededRandom } from '../vectors/rows.ts';
import type { FuzzyEdges } from './fuzzy-edges.ts';

/** Rows that each end of an edge is pushed away from, whenever the edge pulls it. */
const NEGATIVE_SAMPLES = 4;
/** How fast rows stop to be near as they move apart: 1 / (1 + SPREAD d²). About UMAP's curve of a least distance of 0.1. */
const SPREAD = 1.6;
/** A step moves a row no further in one direction. */
const LONGEST_STEP = 4;
/** Edges that are pulled at between two looks at whether to go on. */
const EDGES_AT_ONCE = 4_000_000;
/** An irrational share, so that edges of equal weight are not all pulled at in the same epoch. */
const GOLDEN = 0.618033988749895;
const SEED = 7;

export interface OptimiseOptions {
  epochs: number;
  /** Living rows, ascending: those that rows are pushed away from. */
  rows: Int32Array;
  /** By row: 1 where it stays where it is. */
  fixed?: Uint8Array;
  signal?: AbortSignal | undefined;
  onProgress?: (fraction: number) => void;
}

/**
 * Moves rows until what belongs together is together and the rest is apart: stochastic gradient descent on the cross entropy of the fuzzy graph and
 * of nearness on the plane. An edge pulls its ends together as often as it weighs; each pull goes with pushes from rows drawn at random.
 * The same input gives the same places.
 * Sources: J. Tang, J. Liu, M. Zhang, Q. Mei, "Visualizing Large-scale and High-dimensional Data" (LargeVis, 2016), with its curve of nearness;
 * L. McInnes, J. Healy, J. Melville, "UMAP" (2018), section 3.2.
 * @param places x and y of each row; changed in place.
 * @throws The signal's reason once it aborts.
 */
export async function optimisePlaces(places: Float32Array, edges: FuzzyEdges, options: OptimiseOptions): Promise<void> {
  const { epochs, rows, signal, onProgress } = options;
  const { count, k, ends, weights } = edges;
  const fixed = options.fixed ?? new Uint8Array(count);
  const random = seededRandom(SEED);
  const push = (row: number, rate: number) => {
    for (let nth = 0; nth < NEGATIVE_SAMPLES; nth += 1) {
      const other = rows[Math.floor(random() * rows.length)] as number;
      if (other === row) continue;
      const dx = (places[row * 2] as number) - (places[other * 2] as number);
      const dy = (places[row * 2 + 1] as number) - (places[other * 2 + 1] as number);
      const squared = dx * dx + dy * dy;
      const force = 2 / ((0.001 + squared) * (1 + SPREAD * squared));
      places[row * 2] = (places[row * 2] as number) + rate * limited(force * dx);
      places[row * 2 + 1] = (places[row * 2 + 1] as number) + rate * limited(force * dy);
    }
  };
  let sincePause = 0;
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    signal?.throwIfAborted();
    const rate = 1 - epoch / epochs;
    for (let row = 0; row < count; row += 1) {
      for (let at = row * k; at < (row + 1) * k; at += 1) {
        const end = ends[at] as number;
        if (end < 0 || (fixed[row] === 1 && fixed[end] === 1)) continue;
        const weight = weights[at] as number;
        const turn = epoch * weight + ((at * GOLDEN) % 1);
        if (Math.floor(turn + weight) === Math.floor(turn)) continue;
        const dx = (places[row * 2] as number) - (places[end * 2] as number);
        const dy = (places[row * 2 + 1] as number) - (places[end * 2 + 1] as number);
        const force = (-2 * SPREAD) / (1 + SPREAD * (dx * dx + dy * dy));
        const [stepX, stepY] = [rate * limited(force * dx), rate * limited(force * dy)];
        if (fixed[row] === 0) {
          places[row * 2] = (places[row * 2] as number) + stepX;
          places[row * 2 + 1] = (places[row * 2 + 1] as number) + stepY;
          push(row, rate);
        }
        if (fixed[end] === 0) {
          places[end * 2] = (places[end * 2] as number) - stepX;
          places[end * 2 + 1] = (places[end * 2 + 1] as number) - stepY;
          push(end, rate);
        }
      }
      sincePause += k;
      if (sincePause < EDGES_AT_ONCE) continue;
      sincePause = 0;
      onProgress?.((epoch + row / count) / epochs);
      await nextTurn();
      signal?.throwIfAborted();
    }
  }
  onProgress?.(1);
}

function limited(step: number): number {
  return step > LONGEST_STEP ? LONGEST_STEP : step < -LONGEST_STEP ? -LONGEST_STEP : step;
}
