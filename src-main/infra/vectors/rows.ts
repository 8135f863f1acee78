/** Returns the row numbers 0 … count - 1 for which a test is true, ascending. */
export function rowsWhere(count: number, keep: (row: number) => boolean): Int32Array {
  const rows = new Int32Array(count);
  let kept = 0;
  for (let row = 0; row < count; row += 1) {
    if (!keep(row)) continue;
    rows[kept] = row;
    kept += 1;
  }
  return rows.slice(0, kept);
}

/** Returns an array of `count` numbers with a 1 for each of the rows, and 0 for the others. */
export function markRows(count: number, rows: Int32Array): Uint8Array {
  const marks = new Uint8Array(count);
  for (const row of rows) marks[row] = 1;
  return marks;
}

/** Whether a row has a vector: rows that could not be described, or have lost their vector, are all zeros. */
export function hasVector(vectors: Float32Array, dim: number, row: number): boolean {
  for (let at = row * dim; at < (row + 1) * dim; at += 1) if (vectors[at] !== 0) return true;
  return false;
}

/** Computes the inner product of `dim` floats at two offsets. Four partial sums make full use of the processor's pipeline. */
export function innerProduct(a: Float32Array, aFrom: number, b: Float32Array, bFrom: number, dim: number): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  const whole = dim - (dim % 4);
  let at = 0;
  for (; at < whole; at += 4) {
    s0 += (a[aFrom + at] as number) * (b[bFrom + at] as number);
    s1 += (a[aFrom + at + 1] as number) * (b[bFrom + at + 1] as number);
    s2 += (a[aFrom + at + 2] as number) * (b[bFrom + at + 2] as number);
    s3 += (a[aFrom + at + 3] as number) * (b[bFrom + at + 3] as number);
  }
  for (; at < dim; at += 1) s0 += (a[aFrom + at] as number) * (b[bFrom + at] as number);
  return s0 + s1 + s2 + s3;
}

/** Returns a generator of pseudo-random numbers 0 … 1 that are the same on every run (mulberry32 by Tommy Ettinger, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns `size` different entries of `rows`, the same on every run, ascending. */
export function sampleRows(rows: Int32Array, size: number, seed: number): Int32Array {
  if (size >= rows.length) return rows;
  const random = seededRandom(seed);
  const pool = rows.slice();
  for (let at = 0; at < size; at += 1) {
    const other = at + Math.floor(random() * (pool.length - at));
    const kept = pool[at] as number;
    pool[at] = pool[other] as number;
    pool[other] = kept;
  }
  return pool.slice(0, size).sort();
}

/** Rows in numbered lists. Those of list l are `rows[offsets[l] … offsets[l + 1]]`. */
export interface RowsByList {
  offsets: Int32Array;
  rows: Int32Array;
}

export function rowsOfList({ offsets, rows }: RowsByList, list: number): Int32Array {
  return rows.subarray(offsets[list], offsets[list + 1]);
}

/**
 * Groups rows by list.
 * @param listsOf `each` list numbers for every row.
 */
export function groupByList(listsOf: Int32Array, rows: Int32Array, nLists: number, each = 1): RowsByList {
  const offsets = new Int32Array(nLists + 1);
  for (const list of listsOf) offsets[list + 1] = (offsets[list + 1] as number) + 1;
  for (let list = 0; list < nLists; list += 1)
    offsets[list + 1] = (offsets[list + 1] as number) + (offsets[list] as number);
  const next = offsets.slice();
  const grouped = new Int32Array(listsOf.length);
  for (let at = 0; at < listsOf.length; at += 1) {
    const list = listsOf[at] as number;
    grouped[next[list] as number] = rows[Math.floor(at / each)] as number;
    next[list] = (next[list] as number) + 1;
  }
  return { offsets, rows: grouped };
}
