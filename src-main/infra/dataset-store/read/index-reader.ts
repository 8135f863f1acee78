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
  nextFileNames(entity_type: EntityType): IndexFileNames {
    return this.#fileNames(entity_type, (this.#published(entity_type)?.serial ?? 0) + 1);
  }

  /** What reads use now. */
  published(entity_type: EntityType): IndexFiles['published'] {
    const published = this.#published(entity_type);
    if (!published) return undefined;
    const { serial, count, cuts } = published;
    return { ...this.#fileNames(entity_type, serial), count, cuts: cuts && [...cuts] };
  }

  /** All files of the published indexes. */
  publishedFiles(entity_types: readonly EntityType[]): string[] {
    return entity_types.flatMap((entity_type) => {
      const published = this.#published(entity_type);
      return published ? Object.values(this.#fileNames(entity_type, published.serial)) : [];
    });
  }

  publish(entity_type: EntityType, files: IndexFiles, cuts: readonly number[]): void {
    const before = this.#published(entity_type);
    const serial = (before?.serial ?? 0) + 1;
    if (files.clusters_file !== this.#fileNames(entity_type, serial).clusters_file) return;
    this.#meta.set(INDEX[entity_type], { serial, count: files.count, cuts } satisfies PublishedIndex);
    if (before)
      for (const file of Object.values(this.#fileNames(entity_type, before.serial))) rmSync(file, { force: true });
  }

  /** Clusters at a level, 0 finest; undefined before the first index. */
  clusters(entity_type: EntityType, level: number): ClusterIndex | undefined {
    return this.#load(entity_type)?.levels[level];
  }

  /** 0 has a twin … 1 unlike anything; null before the first index. */
  uniqueness(entity_type: EntityType, row: number): number | null {
    return this.#load(entity_type)?.uniqueness[row] ?? null;
  }

  /** The cluster of a row at each level. */
  clusterKeysOf(entity_type: EntityType, row: number): { level: number; first_row: number }[] {
    const levels = this.#load(entity_type)?.levels ?? [];
    return levels.flatMap((clusters, level) => {
      const cluster = clusters.clusterOf(row);
      return cluster < 0 ? [] : [{ level, first_row: clusters.firstRow(cluster) }];
    });
  }

  /** The living rows most similar to a vector, best first. */
  async search(
    entity_type: EntityType,
    vectors: VectorSegments,
    query: Float32Array,
    limit: number,
  ): Promise<{ row: number; similarity: number }[]> {
    const loaded = this.#load(entity_type);
    const count = this.#published(entity_type)?.count ?? 0;
    if (!loaded || count === 0) return [];
    loaded.search ??= await ExactIndex.open({ vectors: vectors.readAll(count), dim: vectors.dim, count });
    const n_dead = loaded.alive.reduce((n, alive) => n + 1 - alive, 0);
    const found = await loaded.search.search(query, Math.min(limit + n_dead, count));
    return found.filter(({ row }) => loaded.alive[row] === 1).slice(0, limit);
  }

  #load(entity_type: EntityType): Loaded | undefined {
    const published = this.#published(entity_type);
    if (!published) return undefined;
    const known = this.#loaded.get(entity_type);
    const live_version = this.#live.version;
    if (known?.serial === published.serial && known.live_version === live_version) return known;
    const names = this.#fileNames(entity_type, published.serial);
    const alive = this.#live.mask(entity_type, published.count);
    const levels = readClusters(names.clusters_file).map((level) => new ClusterIndex(livingClusters(level, alive)));
    const loaded: Loaded = {
      serial: published.serial,
      live_version,
      alive,
      levels,
      uniqueness: readFloats(names.uniqueness_file),
      search: known?.serial === published.serial ? known.search : undefined,
    };
    this.#loaded.set(entity_type, loaded);
    return loaded;
  }

  #published(entity_type: EntityType): PublishedIndex | undefined {
    return this.#meta.get<PublishedIndex>(INDEX[entity_type]);
  }

  #fileNames(entity_type: EntityType, serial: number): IndexFileNames {
    const file = (extension: string) => join(this.#folder, `${entity_type}-${serial}.${extension}`);
    return { graph_file: file('knn'), clusters_file: file('clusters'), uniqueness_file: file('uniqueness') };
  }
}

function readFloats(file: string): Float32Array {
  const bytes = readFileSync(file);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
