import { ExactIndex } from './exact-index.ts';
import { gatherRows, sampleRows, seededRandom } from './rows.ts';

const SAMPLE_PER_CELL = 32;
const ROUNDS = 6;
const SEED = 20_110_301;

/**
 * Centres of cells that part the vectors by direction: k-means on a sample, with cosine instead of distance (Dhillon & Modha 2001,
 * spherical k-means). The same on every run.
 * @returns `n_cells` unit vectors.
 */
export async function trainCentres(options: {
  vectors: Float32Array;
  dim: number;
  rows: Int32Array;
  n_cells: number;
  threads: number;
  signal?: AbortSignal | undefined;
}): Promise<Float32Array> {
  const { vectors, dim, n_cells, threads, signal } = options;
  const sample = sampleRows(options.rows, n_cells * SAMPLE_PER_CELL, SEED);
  const points = gatherRows(vectors, dim, sample);
  const everyPoint = Int32Array.from(sample, (_, at) => at);
  const centres = gatherRows(points, dim, sampleRows(everyPoint, n_cells, SEED + 1)).slice();
  const random = seededRandom(SEED + 2);
  for (let round = 0; round < ROUNDS; round += 1) {
    signal?.throwIfAborted();
    const nearest = (await nearestCentres({ vectors: points, dim, rows: everyPoint, centres, each: 1, threads })).cells;
    centres.fill(0);
    const sizes = new Int32Array(n_cells);
    for (let at = 0; at < nearest.length; at += 1) {
      const cell = nearest[at] as number;
      sizes[cell] = (sizes[cell] as number) + 1;
      for (let axis = 0; axis < dim; axis += 1) {
        centres[cell * dim + axis] = (centres[cell * dim + axis] as number) + (points[at * dim + axis] as number);
      }
    }
    for (let cell = 0; cell < n_cells; cell += 1) {
      // A cell that nobody is nearest to starts again at a random point.
      if (sizes[cell] === 0) {
        const point = Math.floor(random() * sample.length);
        centres.set(points.subarray(point * dim, (point + 1) * dim), cell * dim);
      }
      normalise(centres.subarray(cell * dim, (cell + 1) * dim));
    }
  }
  return centres;
}

/** The `each` nearest centres of every given row, nearest first. */
export async function nearestCentres(options: {
  vectors: Float32Array;
  dim: number;
  rows: Int32Array;
  centres: Float32Array;
  each: number;
  threads: number;
}): Promise<{ cells: Int32Array; each: number }> {
  const { vectors, dim, rows, centres, threads } = options;
  const nCells = centres.length / dim;
  const each = Math.min(options.each, nCells);
  const index = await ExactIndex.open({ vectors: centres, dim, count: nCells, threads });
  const cells = new Int32Array(rows.length * each);
  const block = 4096;
  for (let first = 0; first < rows.length; first += block) {
    const part = gatherRows(vectors, dim, rows.subarray(first, first + block));
    cells.set((await index.searchMany(part, each)).rows, first * each);
  }
  await index.close();
  return { cells, each };
}

function normalise(vector: Float32Array): void {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return;
  const scale = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] as number) * scale;
}
