import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { IndexFiles } from '../../../core/ports/dataset-store.ts';
import { readClusters } from '../../vectors/cluster-file.ts';
import { ExactIndex } from '../../vectors/exact-index.ts';
import type { VectorSegments } from '../../vectors/vector-segments.ts';
import type { MetaRepository } from '../rows/meta.repository.ts';
import { ClusterIndex } from './cluster-index.ts';
import type { LiveRows } from './live-rows.ts';
import { livingClusters } from './living-clusters.ts';

/** Where a generation says which index files reads use. */
export const INDEX: Record<EntityType, string> = { IMAGES: 'index:IMAGES', OBJECTS: 'index:OBJECTS' };

/** Names of the published index files of an entity type, and the rows that they cover. */
interface PublishedIndex {
  serial: number;
  count: number;
  /** Unknown of indexes of the first version. */
  cuts?: readonly number[];
}

type IndexFileNames = Pick<IndexFiles, 'graph_file' | 'clusters_file' | 'uniqueness_file'>;

interface Loaded {
  serial: number;
  live_version: number;
  alive: Uint8Array;
  levels: ClusterIndex[];
  uniqueness: Float32Array;
  search: ExactIndex | undefined;
}

/** The published neighbour graph, clusters and scores of a generation, held as typed arrays. */
export class IndexReader {
  readonly #folder: string;
  readonly #meta: MetaRepository;
  readonly #live: LiveRows;
  readonly #loaded = new Map<EntityType, Loaded>();

  constructor(folder: string, meta: MetaRepository, live: LiveRows) {
    this.#folder = join(folder, 'index');
    this.#meta = meta;
    this.#live = live;
  }

  /** Files of the index job after the published one; a job that runs again writes the same ones. */
  nextFileNames(entityType: EntityType): IndexFileNames {
    return this.#fileNames(entityType, (this.#published(entityType)?.serial ?? 0) + 1);
  }

  /** What reads use now. */
  published(entityType: EntityType): IndexFiles['published'] {
    const published = this.#published(entityType);
    if (!published) return undefined;
    const { serial, count, cuts } = published;
    return { ...this.#fileNames(entityType, serial), count, cuts: cuts && [...cuts] };
  }

  /** All files of the published indexes. */
  publishedFiles(entityTypes: readonly EntityType[]): string[] {
    return entityTypes.flatMap((entityType) => {
      const published = this.#published(entityType);
      return published ? Object.values(this.#fileNames(entityType, published.serial)) : [];
    });
  }

  publish(entityType: EntityType, files: IndexFiles, cuts: readonly number[]): void {
    const before = this.#published(entityType);
    const serial = (before?.serial ?? 0) + 1;
    if (files.clusters_file !== this.#fileNames(entityType, serial).clusters_file) return;
    this.#meta.set(INDEX[entityType], { serial, count: files.count, cuts } satisfies PublishedIndex);
    if (before)
      for (const file of Object.values(this.#fileNames(entityType, before.serial))) rmSync(file, { force: true });
  }

  /** Clusters at a level, 0 finest; undefined before the first index. */
  clusters(entityType: EntityType, level: number): ClusterIndex | undefined {
    return this.#load(entityType)?.levels[level];
  }

  /** 0 has a twin … 1 unlike anything; null before the first index. */
  uniqueness(entityType: EntityType, row: number): number | null {
    return this.#load(entityType)?.uniqueness[row] ?? null;
  }

  /** The cluster of a row at each level. */
  clusterKeysOf(entityType: EntityType, row: number): { level: number; first_row: number }[] {
    const levels = this.#load(entityType)?.levels ?? [];
    return levels.flatMap((clusters, level) => {
      const cluster = clusters.clusterOf(row);
      return cluster < 0 ? [] : [{ level, first_row: clusters.firstRow(cluster) }];
    });
  }

  /** The living rows most similar to a vector, best first. */
  async search(
    entityType: EntityType,
    vectors: VectorSegments,
    query: Float32Array,
    limit: number,
  ): Promise<{ row: number; similarity: number }[]> {
    const loaded = this.#load(entityType);
    const count = this.#published(entityType)?.count ?? 0;
    if (!loaded || count === 0) return [];
    loaded.search ??= await ExactIndex.open({ vectors: vectors.readAll(count), dim: vectors.dim, count });
    const nDead = loaded.alive.reduce((n, alive) => n + 1 - alive, 0);
    const found = await loaded.search.search(query, Math.min(limit + nDead, count));
    return found.filter(({ row }) => loaded.alive[row] === 1).slice(0, limit);
  }

  #load(entityType: EntityType): Loaded | undefined {
    const published = this.#published(entityType);
    if (!published) return undefined;
    const known = this.#loaded.get(entityType);
    const liveVersion = this.#live.version;
    if (known?.serial === published.serial && known.live_version === liveVersion) return known;
    const names = this.#fileNames(entityType, published.serial);
    const alive = this.#live.mask(entityType, published.count);
    const levels = readClusters(names.clusters_file).map((level) => new ClusterIndex(livingClusters(level, alive)));
    const loaded: Loaded = {
      serial: published.serial,
      live_version: liveVersion,
      alive,
      levels,
      uniqueness: readFloats(names.uniqueness_file),
      search: known?.serial === published.serial ? known.search : undefined,
    };
    this.#loaded.set(entityType, loaded);
    return loaded;
  }

  #published(entityType: EntityType): PublishedIndex | undefined {
    return this.#meta.get<PublishedIndex>(INDEX[entityType]);
  }

  #fileNames(entityType: EntityType, serial: number): IndexFileNames {
    const file = (extension: string) => join(this.#folder, `${entityType}-${serial}.${extension}`);
    return { graph_file: file('knn'), clusters_file: file('clusters'), uniqueness_file: file('uniqueness') };
  }
}

function readFloats(file: string): Float32Array {
  const bytes = readFileSync(file);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
