import type { RowVectors } from '../../../core/ports/vector-engine.ts';
import { innerProduct, type RowsByList, rowsOfList } from '../rows.ts';
import type { ClusterLevel } from './cluster-file.ts';

/**
 * Sorts groups of rows for display: the largest group first, equal sizes by their earliest row. Empty groups are left out.
 * @param groups Their rows, in the order of members in their cluster.
 * @param count Length of the level's labels.
 */
export function makeLevel(groups: RowsByList, count: number): ClusterLevel {
  const total = groups.rows.length;
  const groupOf = new Int32Array(count);
  const found = new Float64Array(groups.offsets.length - 1);
  let nFound = 0;
  for (let group = 0; group < found.length; group += 1) {
    if (groups.offsets[group] === groups.offsets[group + 1]) continue;
    const rows = rowsOfList(groups, group);
    const earliest = rows.reduce((least, row) => Math.min(least, row));
    groupOf[earliest] = group;
    // Combines both in one number: typed arrays of numbers sort without a comparison function.
    found[nFound] = (total - rows.length) * count + earliest;
    nFound += 1;
  }
  const ordered = found.subarray(0, nFound).sort();
  const labels = new Int32Array(count).fill(-1);
  const offsets = new Int32Array(nFound + 1);
  const members = new Int32Array(total);
  for (let cluster = 0; cluster < nFound; cluster += 1) {
    const rows = rowsOfList(groups, groupOf[(ordered[cluster] as number) % count] as number);
    const from = offsets[cluster] as number;
    for (const row of rows) labels[row] = cluster;
    members.set(rows, from);
    offsets[cluster + 1] = from + rows.length;
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
