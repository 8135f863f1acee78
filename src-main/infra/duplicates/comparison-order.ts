import { readClusters } from '../vectors/clustering/cluster-file.ts';

/** Level of clusters that determines the order of comparisons. */
const ORDER_LEVEL = 2;

/**
 * Returns the rows in the display order of clusters, with rows without a cluster at the end, so that similar images are compared one after
 * the other.
 */
export function comparisonOrder(clustersFile: string, rows: Int32Array): Int32Array {
  const { labels, members } = readClusters(clustersFile)[ORDER_LEVEL] ?? {};
  if (!labels || !members) return rows;
  const others = rows.filter((row) => (labels[row] ?? -1) < 0);
  const order = new Int32Array(members.length + others.length);
  order.set(members);
  order.set(others, members.length);
  return order;
}
