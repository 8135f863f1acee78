import { readClusters } from '../vectors/clustering/cluster-file.ts';

/** The level of clusters whose order pairs are compared in. */
const ORDER_LEVEL = 2;

/** Rows as clusters are shown, and what is in none of them at the end: what is alike is compared one after the other. */
export function comparisonOrder(clustersFile: string, rows: Int32Array): Int32Array {
  const { labels, members } = readClusters(clustersFile)[ORDER_LEVEL] ?? {};
  if (!labels || !members) return rows;
  const others = rows.filter((row) => (labels[row] ?? -1) < 0);
  const order = new Int32Array(members.length + others.length);
  order.set(members);
  order.set(others, members.length);
  return order;
}
