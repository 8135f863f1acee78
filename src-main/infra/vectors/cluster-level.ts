import type { ClusterLevel } from './cluster-file.ts';
import { innerProduct } from './rows.ts';

/**
 * Puts groups of rows into display order: the largest first, then by their earliest row; members by closeness to their group's mean, then
 * by row.
 * @param options.group_of Group of each entry of `rows`; any numbers below `n_groups`.
 * @param options.rows Row numbers, ascending.
 * @param options.count Length of the level's labels.
 */
export function makeLevel(options: {
  group_of: Int32Array;
  n_groups: number;
  rows: Int32Array;
  count: number;
  /** How close an entry of `rows` is to its group's mean; more is closer. */
  closeness: (at: number) => number;
}): ClusterLevel {
  const { group_of, n_groups, rows, count, closeness } = options;
  const sizes = new Int32Array(n_groups);
  const found: number[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const group = group_of[at] as number;
    if (sizes[group] === 0) found.push(group);
    sizes[group] = (sizes[group] as number) + 1;
  }
  // A stable sort keeps groups of one size by their earliest row.
  const ordered = Int32Array.from(found).sort((a, b) => (sizes[b] as number) - (sizes[a] as number));
  const offsets = new Int32Array(ordered.length + 1);
  const clusterOfGroup = new Int32Array(n_groups);
  for (let cluster = 0; cluster < ordered.length; cluster += 1) {
    const group = ordered[cluster] as number;
    clusterOfGroup[group] = cluster;
    offsets[cluster + 1] = (offsets[cluster] as number) + (sizes[group] as number);
  }

  const labels = new Int32Array(count).fill(-1);
  const places = new Int32Array(rows.length);
  const scores = Float64Array.from(rows, (_, at) => closeness(at));
  const next = offsets.slice();
  for (let at = 0; at < rows.length; at += 1) {
    const cluster = clusterOfGroup[group_of[at] as number] as number;
    labels[rows[at] as number] = cluster;
    places[next[cluster] as number] = at;
    next[cluster] = (next[cluster] as number) + 1;
  }
  for (let cluster = 0; cluster < ordered.length; cluster += 1) {
    // Typed arrays sort in place; a stable sort keeps equally close members by row.
    places
      .subarray(offsets[cluster], offsets[cluster + 1])
      .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  }
  return { labels, offsets, members: places.map((at) => rows[at] as number) };
}

/** Sum of some rows' vectors. */
export function sumOfRows(vectors: Float32Array, dim: number, rows: Int32Array): Float32Array {
  const sum = new Float32Array(dim);
  for (let at = 0; at < rows.length; at += 1) {
    const from = (rows[at] as number) * dim;
    for (let axis = 0; axis < dim; axis += 1) sum[axis] = (sum[axis] as number) + (vectors[from + axis] as number);
  }
  return sum;
}

/** Average cosine between the rows that two sums are of. */
export function averageCosine(
  a: Float32Array,
  aFrom: number,
  aSize: number,
  b: Float32Array,
  bFrom: number,
  bSize: number,
  dim: number,
): number {
  return innerProduct(a, aFrom, b, bFrom, dim) / (aSize * bSize);
}
