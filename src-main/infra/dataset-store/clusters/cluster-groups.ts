import type { RowSet } from '../../vectors/row-set.ts';
import { RankedRows } from '../explore/ranked-rows.ts';
import type { ClusterIndex } from './cluster-index.ts';

/** Maximum number of cached orders per grouping: 4 MB each at a million clusters. */
const MAX_CACHED = 4;

/** The rows of a cluster that are among the matches. */
export interface ClusterGroup {
  cluster: number;
  /** Nearest first if the query compares with something, otherwise most typical first. */
  rows: Int32Array;
  /** Distances of the rows; undefined if the query compares with nothing. */
  distances?: number[];
}

interface Totals {
  total_clusters: number;
  /** Number of clusters with exactly one matching row. */
  total_singles: number;
  total_items: number;
}

export interface GroupPage extends Totals {
  groups: ClusterGroup[];
}

/**
 * The clusters that contain matching rows, by descending number of rows; equal ones in the order of the index. Rows in no cluster are left
 * out.
 */
interface GroupOrder extends Totals {
  clusters: Int32Array;
}

/**
 * Lists clusters that contain matching rows, by page. Computing their order takes a pass over all rows, so the order is cached for the
 * following pages.
 */
export class RowGroups {
  /** Cached orders by cluster index, least recently used first. */
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
    this.#orders.set(clusters, [...kept.filter((one) => one !== known), known].slice(-MAX_CACHED));
    return known.order;
  }
}

function orderGroups(clusters: ClusterIndex, rows: RowSet): GroupOrder {
  const sizes = new GroupSizes(clusters.nClusters);
  rows.forEach((row) => {
    const cluster = clusters.clusterOf(row);
    if (cluster >= 0) sizes.count(cluster);
  });
  return { clusters: sizes.largestFirst(), ...sizes.totals };
}

/** Number of matching rows per cluster. */
class GroupSizes {
  readonly #sizes: Int32Array;
  #largest = 0;
  #nGroups = 0;
  #nSingles = 0;
  #nItems = 0;

  constructor(nClusters: number) {
    this.#sizes = new Int32Array(nClusters);
  }

  get totals(): Totals {
    return { total_clusters: this.#nGroups, total_singles: this.#nSingles, total_items: this.#nItems };
  }

  count(cluster: number): void {
    const size = (this.#sizes[cluster] as number) + 1;
    this.#sizes[cluster] = size;
    if (size === 1) {
      this.#nGroups += 1;
      this.#nSingles += 1;
    } else if (size === 2) this.#nSingles -= 1;
    if (size > this.#largest) this.#largest = size;
    this.#nItems += 1;
  }

  /** Returns the non-empty clusters by descending size, equal ones in their order: a counting sort. */
  largestFirst(): Int32Array {
    const [sizes, largest] = [this.#sizes, this.#largest];
    const next = new Int32Array(largest + 2);
    for (const size of sizes) if (size > 0) next[largest - size + 1] = (next[largest - size + 1] as number) + 1;
    for (let at = 1; at < next.length; at += 1) next[at] = (next[at] as number) + (next[at - 1] as number);
    const ordered = new Int32Array(this.#nGroups);
    for (let cluster = 0; cluster < sizes.length; cluster += 1) {
      const size = sizes[cluster] as number;
      if (size === 0) continue;
      const bucket = largest - size;
      ordered[next[bucket] as number] = cluster;
      next[bucket] = (next[bucket] as number) + 1;
    }
    return ordered;
  }
}

/** Returns a page of the clusters of ranked rows, ordered by their nearest row, then by descending size, then by the order of the index. */
export function groupRanked(clusters: ClusterIndex, ranked: RankedRows, first: number, limit: number): GroupPage {
  const sizes = new GroupSizes(clusters.nClusters);
  const nearest = new Float32Array(clusters.nClusters).fill(Number.NEGATIVE_INFINITY);
  for (let at = 0; at < ranked.count; at += 1) {
    const cluster = clusters.clusterOf(ranked.rows[at] as number);
    if (cluster < 0) continue;
    sizes.count(cluster);
    nearest[cluster] = Math.max(nearest[cluster] as number, ranked.similarities[at] as number);
  }
  const ordered = sizes.largestFirst();
  const similarities = Float32Array.from(ordered, (cluster) => nearest[cluster] as number);
  const page = new RankedRows(ordered, similarities).nearest(first, first + limit).map(({ row: cluster }) => cluster);
  return { groups: membersOf(page, clusters, ranked), ...sizes.totals };
}

/** Returns the ranked rows of some clusters, nearest first. */
function membersOf(page: readonly number[], clusters: ClusterIndex, ranked: RankedRows): ClusterGroup[] {
  const members = new Map(page.map((cluster) => [cluster, [] as number[]]));
  const isShown = new Uint8Array(clusters.nClusters);
  for (const cluster of page) isShown[cluster] = 1;
  for (let at = 0; at < ranked.count; at += 1) {
    const cluster = clusters.clusterOf(ranked.rows[at] as number);
    if (cluster >= 0 && isShown[cluster] === 1) members.get(cluster)?.push(at);
  }
  return Array.from(members, ([cluster, places]) => {
    const found = ranked.at(places).inOrder();
    return {
      cluster,
      rows: found.rows,
      distances: Array.from(found.rows, (_, at) => found.distanceAt(at)),
    };
  });
}
