import { setImmediate as nextTurn } from 'node:timers/promises';
import { seededRandom } from '../vectors/rows.ts';
import type { FuzzyEdges } from './fuzzy-edges.ts';

/** Number of random rows that push an end of an edge away, for each pull of the edge. */
const NEGATIVE_SAMPLES = 4;
/**
 * Number of random rows, a power of two, of which some side by side push another; then one of them is replaced. Their positions stay in the
 * processor's cache: with millions of rows, reading the positions of ever new rows would take most of the time.
 */
const POOL_ROWS = 1024;
/** Decay of nearness with distance: 1 / (1 + SPREAD d²). Close to UMAP's curve with a minimum distance of 0.1. */
const SPREAD = 1.6;
/** Maximum length of a step per axis. */
const LONGEST_STEP = 4;
/** Number of edges between two checks of the abort signal. */
const EDGES_AT_ONCE = 4_000_000;
/** An irrational share, so that edges of equal weight do not all pull in the same epoch. */
const GOLDEN = 0.618033988749895;
const SEED = 7;

export interface OptimiseOptions {
  epochs: number;
  /** Rows with an item, ascending. */
  rows: Int32Array;
  /** By row: 1 if it does not move. */
  fixed?: Uint8Array;
  signal?: AbortSignal | undefined;
  /** Awaited between slices of work. */
  turn?: (() => Promise<void>) | undefined;
  onProgress?: (fraction: number) => void;
}

/**
 * Moves rows so that nearness on the plane follows the fuzzy graph: stochastic gradient descent on the cross entropy of the two. An edge
 * pulls its ends together in proportion to its weight; with each pull, random rows push them away. Deterministic.
 * Sources: J. Tang, J. Liu, M. Zhang, Q. Mei, "Visualizing Large-scale and High-dimensional Data" (LargeVis, 2016), with its curve of
 * nearness; L. McInnes, J. Healy, J. Melville, "UMAP" (2018), section 3.2.
 * @param places Positions: x and y of each row; modified in place.
 * @throws The signal's reason once it aborts.
 */
export async function optimisePlaces(places: Float32Array, edges: FuzzyEdges, options: OptimiseOptions): Promise<void> {
  const { epochs, rows, signal, turn: nextSlice, onProgress } = options;
  const { count, k, ends, weights } = edges;
  const fixed = options.fixed ?? new Uint8Array(count);
  const random = seededRandom(SEED);
  const pool = Int32Array.from({ length: POOL_ROWS }, () => rows[Math.floor(random() * rows.length)] as number);
  let replaced = 0;
  const push = (row: number, rate: number) => {
    pool[replaced % POOL_ROWS] = rows[Math.floor(random() * rows.length)] as number;
    replaced += 1;
    const first = Math.floor(random() * POOL_ROWS);
    for (let nth = first; nth < first + NEGATIVE_SAMPLES; nth += 1) {
      const other = pool[nth % POOL_ROWS] as number;
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
        const turn = epoch * weight + at * GOLDEN - Math.floor(at * GOLDEN);
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
      await nextSlice?.();
      signal?.throwIfAborted();
    }
  }
  onProgress?.(1);
}

function limited(step: number): number {
  return step > LONGEST_STEP ? LONGEST_STEP : step < -LONGEST_STEP ? -LONGEST_STEP : step;
}
