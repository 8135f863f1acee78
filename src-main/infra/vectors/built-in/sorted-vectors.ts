import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { ArrayFile } from '../array-file.ts';
import { RowGatherer } from '../row-vectors.ts';
import { type InvertedLists, nListsOf } from './inverted-lists.ts';

/** Size of the vectors that are sorted together. */
const SORTED_BYTES = 2 ** 26;
/** A copy is worth it for a search that probes each list this often on average. */
const WORTHWHILE_PROBES = 1 / 4;

/**
 * A copy of vectors in a temporary file in which each inverted list is in one place, because lists are what a search reads. The file disappears
 * with the process at the latest.
 */
export class SortedVectors implements RowVectors {
  readonly areHeld = false;
  readonly dim: number;
  readonly count: number;
  /** Place of each row in the file. */
  readonly #places: Int32Array;
  readonly #file: ArrayFile;

  private constructor(count: number, dim: number, places: Int32Array, file: ArrayFile) {
    this.count = count;
    this.dim = dim;
    this.#places = places;
    this.#file = file;
  }

  /** @param lists Of all rows. @param scratch Path of the file. */
  static write(vectors: RowVectors, { rows: order }: InvertedLists, scratch: string): SortedVectors {
    const { count, dim } = vectors;
    const places = new Int32Array(count);
    for (let place = 0; place < count; place += 1) places[order[place] as number] = place;
    const file = ArrayFile.openScratch(scratch);
    try {
      writeSorted(vectors, order, places, file);
    } catch (error) {
      file.close();
      throw error;
    }
    return new SortedVectors(count, dim, places, file);
  }

  copy(row: number, target: Float32Array, at = 0): void {
    this.#read(this.#places[row] as number, target.subarray(at, at + this.dim));
  }

  gather(rows: Int32Array, room?: Float32Array): Float32Array {
    const { dim } = this;
    const n = rows.length;
    const gathered = room ?? new Float32Array(n * dim);
    // In the order of the file, in which rows of a list are side by side.
    const keys = Float64Array.from(rows, (row, at) => (this.#places[row] as number) * n + at).sort();
    for (let from = 0; from < n; ) {
      const first = keys[from] as number;
      let to = from + 1;
      while (to < n && (keys[to] as number) === first + (to - from) * (n + 1)) to += 1;
      const at = first % n;
      this.#read((first - at) / n, gathered.subarray(at * dim, (at + to - from) * dim));
      from = to;
    }
    return gathered;
  }

  close(): void {
    this.#file.close();
  }

  #read(place: number, target: Float32Array): void {
    this.#file.read(place * this.dim * 4, target);
  }
}

/**
 * Runs a search by lists over a copy of vectors in their order, if the search reads most of them.
 * @param nProbes Number of probed lists of all queries. @param scratch Path of the copy; undefined for vectors that need none.
 */
export async function searchInOrder<Search extends { vectors: RowVectors }>(
  search: Search,
  { lists, nProbes, scratch }: { lists: InvertedLists; nProbes: number; scratch: string | undefined },
  run: (search: Search) => Promise<void>,
): Promise<void> {
  const { vectors } = search;
  if (scratch === undefined || !isWorthSorting(lists, nProbes)) return run(search);
  const sorted = SortedVectors.write(vectors, lists, scratch);
  try {
    await run({ ...search, vectors: sorted });
  } finally {
    sorted.close();
  }
}

/** Whether searches that probe so many lists in all read most vectors. */
export function isWorthSorting(lists: InvertedLists, nProbes: number): boolean {
  return nProbes >= nListsOf(lists) * WORTHWHILE_PROBES;
}

/** @param order Row at each place. */
function writeSorted(vectors: RowVectors, order: Int32Array, places: Int32Array, file: ArrayFile): void {
  const { count, dim } = vectors;
  const gatherer = new RowGatherer(vectors);
  const nTogether = Math.max(1, Math.floor(SORTED_BYTES / dim / 4));
  const sorted = new Float32Array(nTogether * dim);
  for (let first = 0; first < count; first += nTogether) {
    const rows = Int32Array.from({ length: Math.min(nTogether, count - first) }, (_, at) => first + at);
    const block = gatherer.gather(rows);
    const targets = rows.map((row) => places[row] as number).sort();
    for (const [at, place] of targets.entries()) {
      const from = ((order[place] as number) - first) * dim;
      sorted.set(block.subarray(from, from + dim), at * dim);
    }
    // Rows of one list are side by side.
    for (let from = 0; from < targets.length; ) {
      const place = targets[from] as number;
      let to = from + 1;
      while (to < targets.length && (targets[to] as number) === place + to - from) to += 1;
      file.write(place * dim * 4, sorted.subarray(from * dim, to * dim));
      from = to;
    }
  }
}
