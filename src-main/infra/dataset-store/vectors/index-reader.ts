import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { IndexedSpace, IndexSummary } from '../../../core/ports/index-jobs.ts';
import type { BuiltIndex, IndexVersion } from '../../../core/ports/vector-engine.ts';
import { EMBEDDING_SPACES, type EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import { checksumOf } from '../../files/file-checksum.ts';
import { readArrays } from '../../vectors/array-file.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { ClusterEdits } from '../clusters/cluster-edits.ts';
import type { ClusterIndex } from '../clusters/cluster-index.ts';
import { ClusterLevels, type LevelSizes } from '../clusters/cluster-levels.ts';
import type { LiveRows } from '../columns/live-rows.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';

/** Returns the database key of the index that reads use. */
export function indexKey(space: EmbeddingSpace, entityType: EntityType): string {
  return `index:${space}:${entityType}`;
}

/** The index of a space that reads use: a version of the engine's index, and the clusters and scores computed from it. */
interface PublishedIndex extends IndexVersion {
  linkage_thresholds: readonly number[];
  /** Level that is shown first. */
  default_level: number;
  /** SHA-256 of the files of clusters and scores, by extension. */
  sha256: Readonly<Record<string, string>>;
  /** SHA-256 of the parts of the engine's index. */
  engine_sha256: BuiltIndex['sha256'];
  /** The index is no longer used. The next index takes the following version number. */
  is_forgotten?: true;
}

export interface PublishedFiles extends Pick<PublishedIndex, 'version' | 'count' | 'sha256' | 'engine_sha256'> {
  /** Prefix of the names of its files, up to the dot. */
  stem: string;
}

/** Files of the clusters and scores of an index. */
export interface GroupingFiles {
  clusters_file: string;
  uniqueness_file: string;
}

interface Loaded {
  version: number;
  live_version: number;
  alive: RowSet;
  levels: ClusterLevels;
  uniqueness: Float32Array;
}

/** The published clusters and scores of a generation, as typed arrays. */
export class IndexReader {
  readonly #folder: string;
  readonly #meta: MetaRepository;
  readonly #live: LiveRows;
  readonly #edits: ClusterEdits | undefined;
  readonly #loaded = new Map<string, Loaded>();

  /** @param edits Unites merged clusters; omit where clusters are not read. */
  constructor(folder: string, meta: MetaRepository, live: LiveRows, edits?: ClusterEdits) {
    this.#folder = join(folder, 'index');
    this.#meta = meta;
    this.#live = live;
    this.#edits = edits;
  }

  /** Version of the index that the next job builds; a job that runs again builds the same one. */
  nextVersion(space: EmbeddingSpace, entityType: EntityType): number {
    return this.#lastVersion(space, entityType) + 1;
  }

  /** Returns the index that reads use; undefined before the first. */
  published(space: EmbeddingSpace, entityType: EntityType): PublishedIndex | undefined {
    return findPublished(this.#meta, space, entityType);
  }

  /** Returns the space whose clusters are shown: `meaning` if it is indexed, otherwise `looks`. */
  shownSpace(entityType: EntityType): EmbeddingSpace {
    return this.published('meaning', entityType) ? 'meaning' : 'looks';
  }

  /** Deletes the files of clusters and scores of a space whose index was forgotten. */
  removeFiles(space: EmbeddingSpace): void {
    for (const entityType of ENTITY_TYPES) {
      const ofSpace = new RegExp(`^${space}-${entityType}-\\d+\\.(clusters|uniqueness)`);
      for (const name of readdirSync(this.#folder)) if (ofSpace.test(name)) rmSync(join(this.#folder, name));
    }
  }

  /**
   * Publishes the index that a job has built. Joins the caller's transaction.
   * @returns False if another job has published the index already.
   */
  publish({ space, entity_type, version, count }: IndexedSpace, built: IndexSummary): boolean {
    if (version !== this.nextVersion(space, entity_type)) return false;
    const { clusters_file, uniqueness_file } = this.files(space, entity_type, version);
    const published: PublishedIndex = {
      version,
      count,
      linkage_thresholds: built.linkage_thresholds,
      default_level: built.default_level,
      sha256: { clusters: checksumOf(clusters_file), uniqueness: checksumOf(uniqueness_file) },
      engine_sha256: built.engine_sha256,
    };
    this.#meta.set(indexKey(space, entity_type), published);
    // Readers may still be loading the previous version.
    for (const file of Object.values(this.files(space, entity_type, version - 2))) rmSync(file, { force: true });
    return true;
  }

  /** Returns the data about a published index that an inspection needs. */
  describePublished(space: EmbeddingSpace, entityType: EntityType): PublishedFiles | undefined {
    const published = this.published(space, entityType);
    return published && { ...published, stem: fileStem(space, entityType, published.version) };
  }

  /** Stops the use of a published index that is damaged, or was built from other vectors. Joins the caller's transaction. */
  forget(space: EmbeddingSpace, entityType: EntityType): void {
    const published = this.published(space, entityType);
    if (published) this.#meta.set(indexKey(space, entityType), { ...published, is_forgotten: true });
  }

  /** Returns the number of items and clusters of each level, finest first; empty before the first index. */
  levelSizes(entityType: EntityType): readonly LevelSizes[] {
    return this.#levels(entityType)?.sizes ?? [];
  }

  /** Returns the level that is shown first; undefined before the first index. */
  defaultLevel(entityType: EntityType): number | undefined {
    return this.published(this.shownSpace(entityType), entityType)?.default_level;
  }

  /** Returns the clusters at a level, 0 finest, with merged ones united; undefined before the first index. */
  clusters(entityType: EntityType, level: number): ClusterIndex | undefined {
    const clusters = this.#levels(entityType)?.at(level);
    return clusters && this.#edits ? this.#edits.merge(entityType, level, clusters) : clusters;
  }

  /** Returns the uniqueness of a row by appearance: 0 has an exact duplicate … 1 is unlike any other; null before the first index. */
  uniqueness(entityType: EntityType, row: number): number | null {
    return this.#load('looks', entityType)?.uniqueness[row] ?? null;
  }

  /** Returns the cluster of a row at each level. */
  clusterKeysOf(entityType: EntityType, row: number): { level: number; first_row: number }[] {
    const keys = this.#levels(entityType)?.keysOf(row) ?? [];
    if ((this.#edits?.version ?? 0) === 0) return keys;
    return keys.map(({ level, first_row }) => {
      const clusters = this.clusters(entityType, level);
      return { level, first_row: clusters?.firstRow(clusters.clusterOf(row)) ?? first_row };
    });
  }

  /** Number of rows that the shown index covers, living or dead. */
  count(entityType: EntityType): number {
    return this.published(this.shownSpace(entityType), entityType)?.count ?? 0;
  }

  /** Returns the living rows that the shown index covers. */
  alive(entityType: EntityType): RowSet {
    return this.#load(this.shownSpace(entityType), entityType)?.alive ?? new RowSet(0);
  }

  /** Returns the uniqueness of all rows by appearance. */
  scores(entityType: EntityType): Float32Array {
    return this.#load('looks', entityType)?.uniqueness ?? new Float32Array();
  }

  /** Returns the distances of rows from their nearest neighbours in the shown space, 0 … 1. */
  neighborDistances(entityType: EntityType): Float32Array {
    return this.#load(this.shownSpace(entityType), entityType)?.uniqueness ?? new Float32Array();
  }

  /** Changes whenever another index is published. */
  state(): string {
    const versions = EMBEDDING_SPACES.flatMap((space) =>
      ENTITY_TYPES.map((entityType) => this.published(space, entityType)?.version ?? 0),
    );
    return versions.join(' ');
  }

  #levels(entityType: EntityType): ClusterLevels | undefined {
    return this.#load(this.shownSpace(entityType), entityType)?.levels;
  }

  #load(space: EmbeddingSpace, entityType: EntityType): Loaded | undefined {
    const published = this.published(space, entityType);
    if (!published) return undefined;
    const key = indexKey(space, entityType);
    const known = this.#loaded.get(key);
    const liveVersion = this.#live.version;
    if (known?.version === published.version && known.live_version === liveVersion) return known;
    const names = this.files(space, entityType, published.version);
    const alive = this.#live.read(entityType, published.count);
    const loaded: Loaded = {
      version: published.version,
      live_version: liveVersion,
      alive,
      levels: new ClusterLevels(names.clusters_file, alive),
      uniqueness: new Float32Array(readArrays(names.uniqueness_file)),
    };
    this.#loaded.set(key, loaded);
    return loaded;
  }

  /** Returns the version of the latest index, used or not. No version number is reused, because readers identify loaded data by it. */
  #lastVersion(space: EmbeddingSpace, entityType: EntityType): number {
    return this.#meta.get<PublishedIndex>(indexKey(space, entityType))?.version ?? 0;
  }

  files(space: EmbeddingSpace, entityType: EntityType, version: number): GroupingFiles {
    return groupingFiles(this.#folder, space, entityType, version);
  }
}

/** Returns the index of a space that reads use; undefined for none. */
export function findPublished(
  meta: MetaRepository,
  space: EmbeddingSpace,
  entityType: EntityType,
): PublishedIndex | undefined {
  const published = meta.get<PublishedIndex>(indexKey(space, entityType));
  return published?.is_forgotten ? undefined : published;
}

/** Returns the files of the clusters and scores of an index in a folder. */
export function groupingFiles(
  folder: string,
  space: EmbeddingSpace,
  entityType: EntityType,
  version: number,
): GroupingFiles {
  const stem = join(folder, fileStem(space, entityType, version));
  return { clusters_file: `${stem}.clusters`, uniqueness_file: `${stem}.uniqueness` };
}

function fileStem(space: EmbeddingSpace, entityType: EntityType, version: number): string {
  return `${space}-${entityType}-${version}`;
}
