import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { innerProduct } from '../rows.ts';
import type { ClusterLevel } from './cluster-file.ts';

/**
 * Sorts groups of rows for display: the largest group first, equal sizes by their earliest row.
 * @param options.group_of Group of each entry of `rows`; any numbers below `n_groups`.
 * @param options.rows Row numbers, ascending.
 * @param options.count Length of the level's labels.
 */
export function makeLevel(options: {
  group_of: Int32Array;
  n_groups: number;
  rows: Int32Array;
  count: number;
  /** Indexes into `rows`, in the order of members in their cluster. */
  order: Int32Array;
}): ClusterLevel {
  const { group_of, n_groups, rows, count, order } = options;
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
  for (const at of order) {
    const row = rows[at] as number;
    const cluster = clusterOfGroup[group_of[at] as number] as number;
    labels[row] = cluster;
    members[next[cluster] as number] = row;
    next[cluster] = (next[cluster] as number) + 1;
  }
  return { labels, offsets, members };
}

/** Sum of the vectors of rows. */
export function sumOfRows(vectors: RowVectors, rows: Int32Array): Float32Array {
  const { dim } = vectors;
  const sum = new Float32Array(dim);
  const vector = new Float32Array(dim);
  for (const row of rows) {
    vectors.copy(row, vector);
    for (let axis = 0; axis < dim; axis += 1) sum[axis] = (sum[axis] as number) + (vector[axis] as number);
  }
  return sum;
}

/** Average cosine between the rows of two groups, from the sums of their vectors. */
export function averageCosine(a: Float32Array, aSize: number, b: Float32Array, bSize: number): number {
  return innerProduct(a, 0, b, 0, a.length) / (aSize * bSize);
}
