import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { IndexEntry, IndexFiles } from '../../../core/ports/index-files.ts';
import { EMBEDDING_SPACES, type EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { checksumOf } from '../disk/file-checksum.ts';
import type { MetaRepository } from '../rows/meta.repository.ts';
import type { ClusterIndex } from './cluster-index.ts';
import { ClusterLevels, type LevelSizes } from './cluster-levels.ts';
import type { LiveRows } from './live-rows.ts';

/** Where a generation says which index files reads use. */
export function indexKey(space: EmbeddingSpace, entityType: EntityType): string {
  return `index:${space}:${entityType}`;
}

/** Names of the published index files of a space and entity type, and the rows that they cover. */
interface PublishedIndex {
  serial: number;
  count: number;
  /** Linkage thresholds; unknown of indexes of the first version. */
  cuts?: readonly number[];
  /** SHA-256 of its files by extension; indexes of former versions have none, or none of inverted lists. */
  sha256?: Readonly<Record<string, string>>;
  /** It is out of use; the next one goes on counting from it. */
  is_forgotten?: true;
}

export interface PublishedFiles {
  /** How the names of its files begin, up to the dot. */
  stem: string;
  count: number;
  sha256?: Readonly<Record<string, string>>;
}

type IndexFileNames = Pick<IndexFiles, 'graph_file' | 'clusters_file' | 'uniqueness_file' | 'lists_file'>;

interface Loaded {
  serial: number;
  live_version: number;
  alive: RowSet;
  levels: ClusterLevels;
  uniqueness: Float32Array;
}

/** The published neighbour graph, clusters and scores of a generation, held as typed arrays. */
export class IndexReader {
  readonly #folder: string;
  readonly #meta: MetaRepository;
  readonly #live: LiveRows;
  readonly #loaded = new Map<string, Loaded>();

  constructor(folder: string, meta: MetaRepository, live: LiveRows) {
    this.#folder = join(folder, 'index');
    this.#meta = meta;
    this.#live = live;
  }

  /** Files of the index job after the published one; a job that runs again writes the same ones. */
  nextFileNames(space: EmbeddingSpace, entityType: EntityType): IndexFileNames {
    return this.#fileNames(space, entityType, this.#lastSerial(space, entityType) + 1);
  }

  /** What reads use now. */
  published(space: EmbeddingSpace, entityType: EntityType): IndexFiles['published'] {
    const published = this.#published(space, entityType);
    if (!published) return undefined;
    const { serial, count, cuts, sha256 } = published;
    const names = this.#fileNames(space, entityType, serial);
    const listsFile = sha256?.lists === undefined ? undefined : names.lists_file;
    return { ...names, lists_file: listsFile, count, linkage_thresholds: cuts && [...cuts] };
  }

  /** The space whose clusters are shown: meaning where its index is there, else looks. */
  shownSpace(entityType: EntityType): EmbeddingSpace {
    return this.#published('meaning', entityType) ? 'meaning' : 'looks';
  }

  /** All files of a published index. */
  publishedFiles(space: EmbeddingSpace, entityType: EntityType): string[] {
    const published = this.#published(space, entityType);
    return published ? Object.values(this.#fileNames(space, entityType, published.serial)) : [];
  }

  publish({ space, entity_type, files, linkage_thresholds }: IndexEntry): void {
    const serial = this.#lastSerial(space, entity_type) + 1;
    if (files.clusters_file !== this.#fileNames(space, entity_type, serial).clusters_file) return;
    const published: PublishedIndex = {
      serial,
      count: files.count,
      cuts: linkage_thresholds,
      sha256: checksums(files),
    };
    this.#meta.set(indexKey(space, entity_type), published);
    // Readers may still be loading what was published until now.
    for (const file of Object.values(this.#fileNames(space, entity_type, serial - 2))) rmSync(file, { force: true });
  }

  /** What an inspection must know of the files of a published index. */
  describePublished(space: EmbeddingSpace, entityType: EntityType): PublishedFiles | undefined {
    const published = this.#published(space, entityType);
    return published && { ...published, stem: fileStem(space, entityType, published.serial) };
  }

  /** Takes a published index out of use: it is not whole, or of vectors that are no more. Joins the caller's transaction. */
  forget(space: EmbeddingSpace, entityType: EntityType): void {
    const published = this.#published(space, entityType);
    if (published) this.#meta.set(indexKey(space, entityType), { ...published, is_forgotten: true });
  }

  /** How much is in the clusters of each level, finest first; nothing before the first index. */
  levelSizes(entityType: EntityType): readonly LevelSizes[] {
    return this.#levels(entityType)?.sizes ?? [];
  }

  /** Clusters at a level, 0 finest; undefined before the first index. */
  clusters(entityType: EntityType, level: number): ClusterIndex | undefined {
    return this.#levels(entityType)?.at(level);
  }

  /** 0 has an exact duplicate … 1 unlike anything, by looks; null before the first index of them. */
  uniqueness(entityType: EntityType, row: number): number | null {
    return this.#load('looks', entityType)?.uniqueness[row] ?? null;
  }

  /** The cluster of a row at each level. */
  clusterKeysOf(entityType: EntityType, row: number): { level: number; first_row: number }[] {
    return this.#levels(entityType)?.keysOf(row) ?? [];
  }

  /** Rows that the shown index covers, living or not. */
  count(entityType: EntityType): number {
    return this.#published(this.shownSpace(entityType), entityType)?.count ?? 0;
  }

  /** Living rows that the shown index covers. */
  alive(entityType: EntityType): RowSet {
    return this.#load(this.shownSpace(entityType), entityType)?.alive ?? new RowSet(0);
  }

  /** The uniqueness of all rows, by looks. */
  scores(entityType: EntityType): Float32Array {
    return this.#load('looks', entityType)?.uniqueness ?? new Float32Array();
  }

  /** How far rows are from their nearest neighbours in the shown space, 0 … 1. */
  neighborDistances(entityType: EntityType): Float32Array {
    return this.#load(this.shownSpace(entityType), entityType)?.uniqueness ?? new Float32Array();
  }

  /** The neighbour graph of the shown space. */
  graphFile(entityType: EntityType): string | undefined {
    return this.published(this.shownSpace(entityType), entityType)?.graph_file;
  }

  /** Changes whenever another index is published. */
  state(): string {
    const serials = EMBEDDING_SPACES.flatMap((space) =>
      ENTITY_TYPES.map((entityType) => this.#published(space, entityType)?.serial ?? 0),
    );
    return serials.join(' ');
  }

  #levels(entityType: EntityType): ClusterLevels | undefined {
    return this.#load(this.shownSpace(entityType), entityType)?.levels;
  }

  #load(space: EmbeddingSpace, entityType: EntityType): Loaded | undefined {
    const published = this.#published(space, entityType);
    if (!published) return undefined;
    const key = indexKey(space, entityType);
    const known = this.#loaded.get(key);
    const liveVersion = this.#live.version;
    if (known?.serial === published.serial && known.live_version === liveVersion) return known;
    const names = this.#fileNames(space, entityType, published.serial);
    const alive = this.#live.read(entityType, published.count);
    const loaded: Loaded = {
      serial: published.serial,
      live_version: liveVersion,
      alive,
      levels: new ClusterLevels(names.clusters_file, alive),
      uniqueness: readFloats(names.uniqueness_file),
    };
    this.#loaded.set(key, loaded);
    return loaded;
  }

  #published(space: EmbeddingSpace, entityType: EntityType): PublishedIndex | undefined {
    const published = this.#meta.get<PublishedIndex>(indexKey(space, entityType));
    return published?.is_forgotten ? undefined : published;
  }

  /** Of the latest index, in use or not: a name is never given twice, for readers know what they have loaded by it. */
  #lastSerial(space: EmbeddingSpace, entityType: EntityType): number {
    return this.#meta.get<PublishedIndex>(indexKey(space, entityType))?.serial ?? 0;
  }

  #fileNames(space: EmbeddingSpace, entityType: EntityType, serial: number): IndexFileNames {
    const file = (extension: string) => join(this.#folder, `${fileStem(space, entityType, serial)}.${extension}`);
    return {
      graph_file: file('knn'),
      clusters_file: file('clusters'),
      uniqueness_file: file('uniqueness'),
      lists_file: file('lists'),
    };
  }
}

function fileStem(space: EmbeddingSpace, entityType: EntityType, serial: number): string {
  return `${space}-${entityType}-${serial}`;
}

/** How the names of the files of all indexes begin that are in use. */
export function publishedStems(meta: MetaRepository): string[] {
  return EMBEDDING_SPACES.flatMap((space) =>
    ENTITY_TYPES.flatMap((entityType) => {
      const published = meta.get<PublishedIndex>(indexKey(space, entityType));
      return published && !published.is_forgotten ? [fileStem(space, entityType, published.serial)] : [];
    }),
  );
}

function readFloats(file: string): Float32Array {
  const bytes = readFileSync(file);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

function checksums({ graph_file, clusters_file, uniqueness_file, lists_file }: IndexFileNames): Record<string, string> {
  return {
    knn: checksumOf(graph_file),
    clusters: checksumOf(clusters_file),
    uniqueness: checksumOf(uniqueness_file),
    lists: checksumOf(lists_file),
  };
}
