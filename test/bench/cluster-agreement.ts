import { round } from './timing.ts';

export interface ClusterAgreement {
  clusters: number;
  /** Mutual information of clusters and classes divided by the mean of their entropies; 1 if each determines the other. */
  nmi: number;
  /** Share of items in the most frequent class of their cluster; also 1 if every item is single. */
  purity: number;
  /** Precision, recall and their harmonic mean of pairs in one cluster, where pairs of one class are correct. */
  pair_precision: number;
  pair_recall: number;
  pair_f1: number;
  /** Share of items that are alone in their cluster. */
  singles: number;
}

/**
 * Computes how well clusters agree with classes. Both are given per item with arbitrary names (Manning, Raghavan & Schütze 2008, section
 * 16.3).
 */
export function clusterAgreement(
  clusters: readonly (string | number)[],
  classes: readonly (string | number)[],
): ClusterAgreement {
  const n = clusters.length;
  const byCluster = countsOf(clusters);
  const byClass = countsOf(classes);
  const together = countsOf(clusters.map((cluster, at) => JSON.stringify([cluster, classes[at]])));
  const best = new Map<string, number>();
  let shared = 0;
  for (const [pair, count] of together) {
    const [cluster, of] = JSON.parse(pair) as [string | number, string | number];
    best.set(String(cluster), Math.max(best.get(String(cluster)) ?? 0, count));
    const expected = ((byCluster.get(cluster) ?? 0) * (byClass.get(of) ?? 0)) / n;
    shared += (count / n) * Math.log(count / expected);
  }
  const entropies = entropyOf(byCluster, n) + entropyOf(byClass, n);
  const [inBoth, inCluster, inClass] = [together, byCluster, byClass].map(pairsIn) as [number, number, number];
  const precision = inCluster === 0 ? 1 : inBoth / inCluster;
  const recall = inClass === 0 ? 1 : inBoth / inClass;
  return {
    clusters: byCluster.size,
    nmi: round(entropies === 0 ? 1 : (2 * shared) / entropies),
    purity: round([...best.values()].reduce((sum, count) => sum + count, 0) / n),
    pair_precision: round(precision),
    pair_recall: round(recall),
    pair_f1: round(precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)),
    singles: round([...byCluster.values()].filter((count) => count === 1).length / n),
  };
}

function countsOf<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function entropyOf(counts: ReadonlyMap<unknown, number>, n: number): number {
  return [...counts.values()].reduce((sum, count) => sum - (count / n) * Math.log(count / n), 0);
}

function pairsIn(counts: ReadonlyMap<unknown, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
}
