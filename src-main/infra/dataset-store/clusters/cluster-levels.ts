import { ClusterFile } from '../../vectors/clustering/cluster-file.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import { ClusterIndex } from './cluster-index.ts';
import { livingClusters } from './living-clusters.ts';

/** Number of items, clusters and single items of a level. */
export type LevelSizes = Pick<ClusterIndex, 'nItems' | 'nClusters' | 'nSingles'>;

/**
 * The clusters of a published index, living rows only. Each level is loaded on first use: a level takes 8 MB at a million rows, and few
 * requests read all levels.
 */
export class ClusterLevels {
  readonly #file: ClusterFile;
  readonly #alive: RowSet;
  readonly #read: (ClusterIndex | undefined)[] = [];
  #sizes: readonly LevelSizes[] | undefined;

  constructor(file: string, alive: RowSet) {
    this.#file = ClusterFile.open(file);
    this.#alive = alive;
  }

  /** @param level 0 is finest. */
  at(level: number): ClusterIndex | undefined {
    if (level < 0 || level >= this.#file.nLevels) return undefined;
    this.#read[level] ??= this.#load(level);
    return this.#read[level];
  }

  /** Sizes of all levels, finest first. The levels are not cached for this. */
  get sizes(): readonly LevelSizes[] {
    this.#sizes ??= Array.from({ length: this.#file.nLevels }, (_, level) => {
      const { nItems, nClusters, nSingles } = this.#read[level] ?? this.#load(level);
      return { nItems, nClusters, nSingles };
    });
    return this.#sizes;
  }

  /** Returns the cluster of a row at each level, identified by its earliest row. */
  keysOf(row: number): { level: number; first_row: number }[] {
    if (!this.#alive.has(row)) return [];
    return Array.from({ length: this.#file.nLevels }, (_, level) => {
      const rows = this.#file.readClusterOf(level, row);
      const firstRow = rows.reduce((first, one) => (one < first && this.#alive.has(one) ? one : first), row);
      return { level, first_row: rows.length === 0 ? -1 : firstRow };
    }).filter(({ first_row }) => first_row >= 0);
  }

  #load(level: number): ClusterIndex {
    return new ClusterIndex(livingClusters(this.#file.read(level), this.#alive));
  }
}
