import type { ClusterLevel } from '../../vectors/clustering/cluster-file.ts';

/** The clusters of one level as typed arrays, with their rows, in display order. */
export class ClusterIndex {
  readonly nClusters: number;
  readonly nItems: number;
  /** Number of clusters with one row. */
  readonly nSingles: number;
  readonly #level: ClusterLevel;
  /** Row of the earliest item of each cluster. */
  readonly #firstRows: Int32Array;

  constructor(level: ClusterLevel) {
    this.#level = level;
    this.nClusters = level.offsets.length - 1;
    this.nItems = level.members.length;
    let nSingles = 0;
    for (let cluster = 0; cluster < this.nClusters; cluster += 1) if (this.size(cluster) === 1) nSingles += 1;
    this.nSingles = nSingles;
    this.#firstRows = new Int32Array(this.nClusters).fill(-1);
    for (let row = 0; row < level.labels.length; row += 1) {
      const cluster = level.labels[row] ?? -1;
      if (cluster >= 0 && this.#firstRows[cluster] === -1) this.#firstRows[cluster] = row;
    }
  }

  /** Returns the cluster of a row, or -1 if the row is in none. */
  clusterOf(row: number): number {
    return this.#level.labels[row] ?? -1;
  }

  firstRow(cluster: number): number {
    return this.#firstRows[cluster] ?? -1;
  }

  size(cluster: number): number {
    return (this.#level.offsets[cluster + 1] ?? 0) - (this.#level.offsets[cluster] ?? 0);
  }

  /** Returns clusters of which each group is one, in display order. */
  merged(groups: readonly (readonly number[])[]): ClusterIndex {
    const targets = Int32Array.from({ length: this.nClusters }, (_, cluster) => cluster);
    for (const group of groups) {
      const roots = new Set(group.map((cluster) => targets[cluster] as number));
      const first = Math.min(...roots);
      for (let cluster = 0; cluster < targets.length; cluster += 1) {
        if (roots.has(targets[cluster] as number)) targets[cluster] = first;
      }
    }
    const members = Map.groupBy(targets.keys(), (cluster) => targets[cluster] as number);
    const sizeOf = (parts: readonly number[]) => parts.reduce((sum, cluster) => sum + this.size(cluster), 0);
    const firstOf = (parts: readonly number[]) => Math.min(...parts.map((cluster) => this.firstRow(cluster)));
    const ordered = [...members.values()].sort((a, b) => sizeOf(b) - sizeOf(a) || firstOf(a) - firstOf(b));
    const rows = new Int32Array(this.nItems);
    const labels = new Int32Array(this.#level.labels.length).fill(-1);
    const offsets = new Int32Array(ordered.length + 1);
    for (const [nth, parts] of ordered.entries()) {
      let end = offsets[nth] as number;
      for (const cluster of parts) {
        const of = this.rows(cluster);
        rows.set(of, end);
        for (const row of of) labels[row] = nth;
        end += of.length;
      }
      offsets[nth + 1] = end;
    }
    return new ClusterIndex({ labels, offsets, members: rows });
  }

  /** The rows of all clusters, one cluster after the other; a view, not a copy. */
  get allRows(): Int32Array {
    return this.#level.members;
  }

  /** Returns all rows of a cluster, most typical first; a view, not a copy. */
  rows(cluster: number): Int32Array {
    return this.#level.members.subarray(this.#level.offsets[cluster], this.#level.offsets[cluster + 1]);
  }

  /** Returns a page of the rows of a cluster, most typical first. */
  members(cluster: number, offset: number, limit: number): number[] {
    const start = (this.#level.offsets[cluster] ?? 0) + offset;
    const end = Math.min(start + limit, this.#level.offsets[cluster + 1] ?? 0);
    return Array.from(this.#level.members.subarray(start, Math.max(start, end)));
  }
}
