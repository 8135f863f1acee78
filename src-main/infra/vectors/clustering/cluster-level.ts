import { innerProduct } from '../rows.ts';
import type { ClusterLevel } from './cluster-file.ts';

/**
 * Sorts groups of rows for display: the largest group first, equal sizes by their earliest row; within a group, the members closest to its
 * mean first.
 * @param options.group_of Group of each entry of `rows`; any numbers below `n_groups`.
 * @param options.rows Row numbers, ascending.
 * @param options.count Length of the level's labels.
 */
export function makeLevel(options: {
  group_of: Int32Array;
  n_groups: number;
  rows: Int32Array;
  count: number;
  /** Indexes into `rows`, those closest to the mean of their group first. */
  closest_first: Int32Array;
}): ClusterLevel {
  const { group_of, n_groups, rows, count, closest_first } = options;
  const sizes = new Int32Array(n_groups);
  const found: number[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const group = group_of[at] as number;
    if (sizes[group] === 0) found.push(group);
    sizes[group] = (sizes[group] as number) + 1;
  }
  // The sort is stable: groups of equal size stay ordered by their earliest row.
  const ordered = Int32Array.from(found).sort((a, b) => (sizes[b] as number) - (sizes[a] as number));
  const offsets = new Int32Array(ordered.length + 1);
  const clusterOfGroup = new Int32Array(n_groups);
  for (let cluster = 0; cluster < ordered.length; cluster += 1) {
    const group = ordered[cluster] as number;
    clusterOfGroup[group] = cluster;
    offsets[cluster + 1] = (offsets[cluster] as number) + (sizes[group] as number);
  }

  const labels = new Int32Array(count).fill(-1);
  const members = new Int32Array(rows.length);
  const next = offsets.slice();
  for (const at of closest_first) {
    const row = rows[at] as number;
    const cluster = clusterOfGroup[group_of[at] as number] as number;
    labels[row] = cluster;
    members[next[cluster] as number] = row;
    next[cluster] = (next[cluster] as number) + 1;
  }
  return { labels, offsets, members };
}

/** Sum of the vectors of rows. */
export function sumOfRows(vectors: Float32Array, dim: number, rows: Int32Array): Float32Array {
  const sum = new Float32Array(dim);
  for (let at = 0; at < rows.length; at += 1) {
    const from = (rows[at] as number) * dim;
    for (let axis = 0; axis < dim; axis += 1) sum[axis] = (sum[axis] as number) + (vectors[from + axis] as number);
  }
  return sum;
}

/** Average cosine between the rows of two groups, from the sums of their vectors. */
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
