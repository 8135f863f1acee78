import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { CLUSTERS_PER_PAGE, type EntityType, MAX_PREVIEWS } from '../../contract/schemas/explore.ts';
import type { DescribedImage, Exif, ImageResult } from '../../core/compute.port.ts';
import type {
  BatchRow,
  BatchSummary,
  ByteRange,
  ClusterItems,
  ClusterList,
  ClusterView,
  DatasetStore,
  FetchResult,
  FileCursor,
  FileProblemKind,
  IndexFiles,
  ItemDetails,
  NewFile,
  NewVideo,
  PendingFile,
  RemoteFile,
  ScoredItem,
  SourceRow,
  StoreCounts,
  VectorSpace,
} from '../../core/dataset-store.port.ts';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { VectorSegments } from '../vectors/vector-segments.ts';
import { ClusterIds } from './cluster-ids.ts';
import type { StoreLocation } from './dataset-store.client.ts';
import { FileRepository } from './file.repository.ts';
import { IndexReader } from './index-reader.ts';
import { fileName, resolveLocation } from './locations.ts';
import { MediaRepository } from './media.repository.ts';
import { MetaRepository } from './meta.repository.ts';
import { datasetMigrations } from './migrations.ts';
import { ThumbnailPacks } from './thumbnail-packs.ts';

/** The port's methods, answered in the thread itself. */
type Local = {
  [Name in keyof DatasetStore]: (
    ...args: Parameters<DatasetStore[Name]>
  ) => Awaited<ReturnType<DatasetStore[Name]>> | ReturnType<DatasetStore[Name]>;
};

/** Items most like an anchor that a search looks at. */
const SEARCH_ITEMS = 1000;

/** One generation of one dataset, open in this thread. */
export class LocalDatasetStore implements Local {
  readonly #location: StoreLocation;
  readonly #db: Database.Database;
  readonly #files: FileRepository;
  readonly #media: MediaRepository;
  readonly #meta: MetaRepository;
  readonly #thumbnails: ThumbnailPacks;
  readonly #cluster_ids: ClusterIds;
  readonly #index: IndexReader;
  #vectors: VectorSegments | undefined;
  #video_of_rows: Int32Array = new Int32Array(0);

  constructor(location: StoreLocation) {
    this.#location = location;
    mkdirSync(join(location.folder, 'index'), { recursive: true });
    this.#db = openDatabase(join(location.folder, 'data.db'), datasetMigrations);
    this.#files = new FileRepository(this.#db, location.data_folder);
    this.#media = new MediaRepository(this.#db);
    this.#meta = new MetaRepository(this.#db);
    this.#thumbnails = new ThumbnailPacks(join(location.folder, 'thumbnails'), this.#media.thumbnailEnd());
    this.#cluster_ids = new ClusterIds(location.dataset_id);
    this.#index = new IndexReader(location.folder, this.#meta);
  }

  close(): void {
    this.#thumbnails.close();
    this.#vectors?.close();
    this.#db.close();
  }

  addSource(source: SourceRow): void {
    this.#files.addSource(source);
  }

  ensureFolderSource(root: string): string {
    const known = this.#files.findFolderSource(root);
    if (known !== undefined) return known;
    const source_id = randomUUID();
    this.#files.addSource({ source_id, kind: 'folder', root });
    return source_id;
  }

  addBatch(batch: BatchRow): void {
    this.#files.addBatch(batch, systemClock.iso());
  }

  listBatches(): BatchSummary[] {
    return this.#files.listBatches();
  }

  discardBatch(batch_id: string): void {
    const first_row = this.#index.published('IMAGES')?.count ?? 0;
    this.#db.transaction(() => {
      this.#media.deleteFrom(first_row, batch_id);
      this.#files.deleteBatch(batch_id);
    })();
    this.#thumbnails.rewind(this.#media.thumbnailEnd());
  }

  addFiles(batch_id: string, files: NewFile[]): number {
    return this.#files.addFiles(batch_id, files);
  }

  addUploads(batch_id: string, files: NewFile[]): number {
    return this.#files.addUploads(batch_id, files);
  }

  openVectorSpace(space: VectorSpace): void {
    const known = this.#meta.get<VectorSpace>('vector_space');
    if (known && (known.encoder_id !== space.encoder_id || known.dim !== space.dim)) {
      throw new Error(`the vectors are of ${known.encoder_id}, not ${space.encoder_id}`);
    }
    this.#meta.set('vector_space', space);
  }

  knownPaths(batch_id: string, file_paths: string[]): string[] {
    return this.#files.knownPaths(batch_id, file_paths);
  }

  listRemote(batch_id: string, after: FileCursor, limit: number): RemoteFile[] {
    return this.#files.listRemote(batch_id, after, limit);
  }

  saveFetched(results: FetchResult[]): void {
    this.#files.saveFetched(results);
  }

  listPending(batch_id: string, kind: 'image' | 'video', after: FileCursor, limit: number): PendingFile[] {
    return this.#files.listPending(batch_id, kind, after, limit);
  }

  saveVideo(video: NewVideo, frames: NewFile[]): void {
    const batch_id = this.#files.batchOf(video.file_id);
    if (batch_id === undefined || !this.#files.isPending(video.file_id)) return;
    this.#db.transaction(() => {
      this.#files.saveVideo(video);
      this.#files.addFiles(batch_id, frames);
    })();
  }

  failFile(file_id: number, kind: FileProblemKind, reason: string): void {
    this.#files.markFailed(file_id, kind, reason);
  }

  saveResults(results: ImageResult[]): void {
    const described = results.filter(
      (result): result is DescribedImage => result.ok && this.#files.isPending(result.key),
    );
    const first_row = this.#media.count();
    const thumbnails_before = this.#thumbnails.position();
    const vectors = this.#openVectors();
    const flat = new Float32Array(described.length * vectors.dim);
    described.forEach((image, index) => {
      flat.set(image.vector, index * vectors.dim);
    });
    try {
      if (described.length > 0) vectors.writeRows(first_row, flat);
      const now = systemClock.iso();
      this.#db.transaction(() => {
        described.forEach((image, index) => {
          const slot = this.#thumbnails.append(image.thumbnail);
          this.#media.insert(first_row + index, randomUUID(), image, slot, now);
          this.#files.markDone(image.key, image.size_bytes, image.mtime_ms);
        });
        for (const result of results) if (!result.ok) this.#files.markFailed(result.key, result.kind, result.reason);
      })();
    } catch (error) {
      this.#thumbnails.rewind(thumbnails_before);
      throw error;
    }
  }

  retryFailed(batch_id: string): number {
    return this.#files.retryFailed(batch_id);
  }

  counts(batch_id?: string): StoreCounts {
    return { ...this.#files.counts(batch_id), ...this.#media.countByType(batch_id), n_objects: 0 };
  }

  listFileErrors(query: { kind: FileProblemKind | null; offset: number; limit: number }) {
    return this.#files.listErrors(query);
  }

  prepareIndex(entity_type: EntityType): IndexFiles {
    const vectors = this.#openVectors();
    vectors.sync();
    this.#thumbnails.sync();
    const names = this.#index.nextFileNames(entity_type);
    return {
      ...names,
      vectors_folder: vectors.folder,
      dim: vectors.dim,
      count: this.#media.count(),
      dead_rows: [],
      published: this.#index.published(entity_type),
    };
  }

  publishIndex(entity_type: EntityType, files: IndexFiles): void {
    this.#index.publish(entity_type, files);
  }

  listClusters(query: { entity_type: EntityType; level: number; page_number: number }): ClusterList {
    const clusters = this.#index.clusters(query.entity_type, query.level);
    if (!clusters) return { clusters: [], total_clusters: 0, total_items: 0 };
    const first = query.page_number * CLUSTERS_PER_PAGE;
    const page = range(first, Math.min(first + CLUSTERS_PER_PAGE, clusters.n_clusters));
    const previews = this.#items(page.flatMap((cluster) => clusters.members(cluster, 0, MAX_PREVIEWS)));
    const views = page.map((cluster): ClusterView => {
      const items = clusters.members(cluster, 0, MAX_PREVIEWS).flatMap((row) => previews.get(row) ?? []);
      return this.#view(
        query.entity_type,
        query.level,
        clusters.firstRow(cluster),
        clusters.rows(cluster),
        items,
        null,
      );
    });
    return { clusters: views, total_clusters: clusters.n_clusters, total_items: clusters.n_items };
  }

  async searchByItem(query: {
    entity_type: EntityType;
    level: number;
    page_number: number;
    media_id: string;
  }): Promise<ClusterList | undefined> {
    const anchor = this.#media.find(query.media_id);
    const clusters = this.#index.clusters(query.entity_type, query.level);
    if (!anchor || !clusters) return undefined;
    const vectors = this.#openVectors();
    const found = await this.#index.search(query.entity_type, vectors, vectors.readRows(anchor.row, 1), SEARCH_ITEMS);

    const groups = new Map<number, { row: number; cosine_distance: number }[]>();
    for (const { row, similarity } of found) {
      const cluster = clusters.clusterOf(row);
      if (cluster < 0) continue;
      // Rounding must not make an item differ from itself.
      const cosine_distance = row === anchor.row ? 0 : Math.max(0, 1 - similarity);
      const group = groups.get(cluster);
      if (group) group.push({ row, cosine_distance });
      else groups.set(cluster, [{ row, cosine_distance }]);
    }
    for (const group of groups.values()) group.sort((a, b) => a.cosine_distance - b.cosine_distance || a.row - b.row);
    const ordered = [...groups].sort(([, a], [, b]) => (a[0]?.cosine_distance ?? 0) - (b[0]?.cosine_distance ?? 0));

    const first = query.page_number * CLUSTERS_PER_PAGE;
    const page = ordered.slice(first, first + CLUSTERS_PER_PAGE);
    const shown = page.flatMap(([, group]) => group.slice(0, MAX_PREVIEWS));
    const items = this.#items(shown.map((match) => match.row));
    const views = page.map(([cluster, group]) => {
      const previews = group.slice(0, MAX_PREVIEWS).flatMap(({ row, cosine_distance }) => {
        const item = items.get(row);
        return item ? [{ ...item, cosine_distance }] : [];
      });
      return this.#view(
        query.entity_type,
        query.level,
        clusters.firstRow(cluster),
        group.map((match) => match.row),
        previews,
        group[0]?.cosine_distance ?? null,
      );
    });
    return { clusters: views, total_clusters: ordered.length, total_items: found.length };
  }

  getCluster(query: { cluster_id: string; offset: number; limit: number }): ClusterItems | undefined {
    const key = this.#cluster_ids.decode(query.cluster_id);
    const clusters = key && this.#index.clusters(key.entity_type, key.level);
    if (!key || !clusters) return undefined;
    const cluster = clusters.clusterOf(key.first_row);
    if (cluster < 0 || clusters.firstRow(cluster) !== key.first_row) return undefined;
    const shown = clusters.members(cluster, query.offset, query.limit);
    const covers = clusters.members(cluster, 0, MAX_PREVIEWS);
    const items = this.#items([...shown, ...covers]);
    const pick = (rows: number[]) => rows.flatMap((row) => items.get(row) ?? []);
    const size = clusters.size(cluster);
    const rows = clusters.rows(cluster);
    return {
      cluster: this.#view(key.entity_type, key.level, key.first_row, rows, pick(covers), null),
      items: pick(shown),
      total: size,
    };
  }

  findItem(media_id: string): ItemDetails | undefined {
    const row = this.#media.find(media_id);
    if (!row) return undefined;
    return {
      row: row.row,
      media_id: row.media_id,
      media_type: row.media_type,
      file_path: row.file_path,
      width: row.width,
      height: row.height,
      video_id: row.video_id,
      frame_number: row.frame_number,
      frame_timestamp: row.frame_timestamp,
      format: row.format,
      pages: row.pages,
      content_hash: row.content_hash,
      size_bytes: row.size_bytes,
      mtime_ms: row.mtime_ms,
      created_at: row.created_at,
      uniqueness_score: this.#index.uniqueness('IMAGES', row.row),
      quality: JSON.parse(row.quality) as Record<string, number>,
      exif: row.exif === null ? null : (JSON.parse(row.exif) as Exif),
      cluster_ids: this.#index
        .clusterKeysOf('IMAGES', row.row)
        .map(({ level, first_row }) => this.#cluster_ids.encode({ entity_type: 'IMAGES', level, first_row })),
    };
  }

  /** @param media_id An item's, or a video's: then its whole file. */
  locateOriginal(media_id: string): ByteRange | undefined {
    const row = this.#media.find(media_id);
    if (!row) return this.#locateVideo(media_id);
    return {
      path: resolveLocation(this.#location.data_folder, row, row.location),
      offset: 0,
      length: null,
      content_hash: row.content_hash,
      format: row.format,
      file_name: fileName(row.file_path),
    };
  }

  #locateVideo(video_id: string): ByteRange | undefined {
    const row = this.#files.findVideoFile(video_id);
    if (!row) return undefined;
    return {
      path: resolveLocation(this.#location.data_folder, row, row.location),
      offset: 0,
      length: null,
      content_hash: `${row.size_bytes}-${row.mtime_ms}`,
      format: row.file_path.slice(row.file_path.lastIndexOf('.') + 1),
      file_name: fileName(row.file_path),
    };
  }

  locateThumbnail(media_id: string): ByteRange | undefined {
    const row = this.#media.find(media_id);
    if (!row) return undefined;
    return {
      path: this.#thumbnails.path(row.thumbnail_pack),
      offset: row.thumbnail_offset,
      length: row.thumbnail_bytes,
      content_hash: `thumbnail-${row.content_hash}`,
      format: 'webp',
      file_name: `${fileName(row.file_path)}.webp`,
    };
  }

  #openVectors(): VectorSegments {
    const space = this.#meta.get<VectorSpace>('vector_space');
    if (!space) throw new Error('the vector space is not fixed yet');
    this.#vectors ??= VectorSegments.open(join(this.#location.folder, 'vectors', 'IMAGES'), space);
    return this.#vectors;
  }

  #countTypes(rows: ArrayLike<number>): { n_images: number; n_frames: number; n_videos: number } {
    const count = this.#media.count();
    if (this.#video_of_rows.length !== count) this.#video_of_rows = this.#media.videoOfRows(count);
    const videos = new Set<number>();
    let n_frames = 0;
    for (let at = 0; at < rows.length; at += 1) {
      const video = this.#video_of_rows[rows[at] ?? -1] ?? -1;
      if (video < 0) continue;
      n_frames += 1;
      videos.add(video);
    }
    return { n_images: rows.length - n_frames, n_frames, n_videos: videos.size };
  }

  #items(rows: readonly number[]): Map<number, ScoredItem> {
    return new Map(this.#media.listByRows(rows).map((item) => [item.row, { ...item, cosine_distance: null }]));
  }

  #view(
    entity_type: EntityType,
    level: number,
    first_row: number,
    rows: ArrayLike<number>,
    previews: ScoredItem[],
    cosine_distance: number | null,
  ): ClusterView {
    return {
      cluster_id: this.#cluster_ids.encode({ entity_type, level, first_row }),
      level,
      ...this.#countTypes(rows),
      cosine_distance,
      previews,
    };
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
