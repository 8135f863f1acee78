import type { RowSet } from '../../vectors/row-set.ts';
import type { ClusterIndex } from './cluster-index.ts';
import type { RankedRow } from './row-ranker.ts';

/** Orders that are kept of one grouping: 4 MB each at a million clusters. */
const MOST_KEPT = 4;

/** A cluster's share of what was found. */
export interface ClusterGroup {
  cluster: number;
  /** The nearest first where something was compared, else the most typical. */
  rows: Int32Array;
  /** Of the rows; undefined where nothing was compared. */
  distances?: number[];
}

export interface GroupPage {
  groups: ClusterGroup[];
  total_clusters: number;
  /** Clusters of which but one row was found. */
  total_singles: number;
  total_items: number;
}

/** The clusters that found rows are in: those of many first, equal ones in the order of the index. Rows in none are left out. */
interface GroupOrder extends Omit<GroupPage, 'groups'> {
  clusters: Int32Array;
}

/** Pages of clusters that found rows are in. Their order costs a walk over all rows, and is kept for the pages that follow. */
export class RowGroups {
  /** By what groups them; the least recently used first. */
  readonly #orders = new WeakMap<ClusterIndex, { rows: RowSet; order: GroupOrder }[]>();

  page(clusters: ClusterIndex, rows: RowSet, first: number, limit: number): GroupPage {
    const { clusters: ordered, ...totals } = this.#order(clusters, rows);
    const isAll = totals.total_items === clusters.nItems;
    const groups = Array.from(ordered.subarray(first, first + limit), (cluster) => {
      const all = clusters.rows(cluster);
      return { cluster, rows: isAll ? all : all.filter((row) => rows.has(row)) };
    });
    return { groups, ...totals };
  }

  #order(clusters: ClusterIndex, rows: RowSet): GroupOrder {
    const kept = this.#orders.get(clusters) ?? [];
    const known = kept.find((one) => one.rows.equals(rows)) ?? { rows, order: orderGroups(clusters, rows) };
    this.#orders.set(clusters, [...kept.filter((one) => one !== known), known].slice(-MOST_KEPT));
    return known.order;
  }
}

function orderGroups(clusters: ClusterIndex, rows: RowSet): GroupOrder {
  const sizes = new Int32Array(clusters.nClusters);
  let [largest, nGroups, nSingles, nItems] = [0, 0, 0, 0];
  rows.forEach((row) => {
    const cluster = clusters.clusterOf(row);
    if (cluster < 0) return;
    const size = (sizes[cluster] as number) + 1;
    sizes[cluster] = size;
    if (size === 1) {
      nGroups += 1;
      nSingles += 1;
    } else if (size === 2) nSingles -= 1;
    if (size > largest) largest = size;
    nItems += 1;
  });
  return {
    clusters: bySize(sizes, largest, nGroups),
    total_clusters: nGroups,
    total_singles: nSingles,
    total_items: nItems,
  };
}

/** A page of the clusters of ranked rows, by their nearest. */
export function groupRanked(
  clusters: ClusterIndex,
  ranked: readonly RankedRow[],
  first: number,
  limit: number,
): GroupPage {
  const members = new Map<number, RankedRow[]>();
  let nItems = 0;
  for (const found of ranked) {
    const cluster = clusters.clusterOf(found.row);
    if (cluster < 0) continue;
    nItems += 1;
    const known = members.get(cluster);
    if (known) known.push(found);
    else members.set(cluster, [found]);
  }
  const nearest = (of: readonly RankedRow[]) => of[0]?.distance ?? 0;
  const ordered = [...members].sort(
    ([a, ofA], [b, ofB]) => nearest(ofA) - nearest(ofB) || ofB.length - ofA.length || a - b,
  );
  const groups = ordered.slice(first, first + limit).map(([cluster, of]) => ({
    cluster,
    rows: Int32Array.from(of, ({ row }) => row),
    distances: of.map(({ distance }) => distance),
  }));
  const nSingles = ordered.filter(([, of]) => of.length === 1).length;
  return { groups, total_clusters: ordered.length, total_singles: nSingles, total_items: nItems };
}

/** Numbers of the sizes that are not 0, largest first, equal ones ascending: a counting sort. */
function bySize(sizes: Int32Array, largest: number, nGroups: number): Int32Array {
  const next = new Int32Array(largest + 2);
  for (const size of sizes) if (size > 0) next[largest - size + 1] = (next[largest - size + 1] as number) + 1;
  for (let at = 1; at < next.length; at += 1) next[at] = (next[at] as number) + (next[at - 1] as number);
  const ordered = new Int32Array(nGroups);
  for (let cluster = 0; cluster < sizes.length; cluster += 1) {
    const size = sizes[cluster] as number;
    if (size === 0) continue;
    const bucket = largest - size;
    ordered[next[bucket] as number] = cluster;
    next[bucket] = (next[bucket] as number) + 1;
  }
  return ordered;
}
