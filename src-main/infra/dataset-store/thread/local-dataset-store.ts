import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { Exif, ImageResult } from '../../../core/ports/compute.ts';
import type {
  AnnotationProblemRow,
  BatchRow,
  BatchSummary,
  BoxCursor,
  BoxResult,
  ByteRange,
  ChangeStore,
  DatasetStore,
  FetchResult,
  FileCursor,
  FileProblemKind,
  IndexFiles,
  NewFile,
  NewVideo,
  PendingFile,
  RemoteFile,
  SourceRow,
  StoreCounts,
} from '../../../core/ports/dataset-store.ts';
import type { EnrichmentStore, VectorSpace } from '../../../core/ports/enrichment-store.ts';
import type { ClusterItems, ClusterList, ItemDetails, ItemSearch } from '../../../core/ports/explored.ts';
import { systemClock } from '../../clock.ts';
import { createParquetThreads } from '../../parquet/parquet-thread.ts';
import { openDatabase } from '../../sqlite/open-database.ts';
import { fileName } from '../disk/locations.ts';
import { SHARED_PACKS, ThumbnailPacks } from '../disk/thumbnail-packs.ts';
import { VectorSpaces } from '../disk/vector-spaces.ts';
import { ClusterIds } from '../read/cluster-ids.ts';
import { ExploreReader } from '../read/explore-reader.ts';
import { IndexReader } from '../read/index-reader.ts';
import { LiveRows } from '../read/live-rows.ts';
import { AnnotationRepository } from '../rows/annotation.repository.ts';
import { FileRepository } from '../rows/file.repository.ts';
import { MediaRepository } from '../rows/media.repository.ts';
import { MetaRepository } from '../rows/meta.repository.ts';
import { ModelResultRepository } from '../rows/model-result.repository.ts';
import { ObjectRepository } from '../rows/object.repository.ts';
import { datasetMigrations } from '../schema/migrations.ts';
import { AnnotationImporter } from '../write/annotation-importer.ts';
import { ItemStore } from '../write/item-store.ts';
import { LocalChangeStore } from '../write/local-change-store.ts';
import { LocalEnrichmentStore } from '../write/local-enrichment-store.ts';
import { ObjectStore } from '../write/object-store.ts';
import type { StoreLocation } from './dataset-store.client.ts';

/** The port's methods, answered in the thread itself. */
type Local = {
  [Name in Exclude<keyof DatasetStore, keyof ChangeStore | keyof EnrichmentStore>]: (
    ...args: Parameters<DatasetStore[Name]>
  ) => Awaited<ReturnType<DatasetStore[Name]>> | ReturnType<DatasetStore[Name]>;
};

/** One generation of one dataset, open in this thread. */
export class LocalDatasetStore implements Local {
  readonly changes: LocalChangeStore;
  readonly enrichment: LocalEnrichmentStore;
  readonly #db: Database.Database;
  readonly #files: FileRepository;
  readonly #media: MediaRepository;
  readonly #meta: MetaRepository;
  readonly #thumbnails: ThumbnailPacks;
  readonly #cluster_ids: ClusterIds;
  readonly #live: LiveRows;
  readonly #index: IndexReader;
  readonly #vectors: VectorSpaces;
  readonly #annotations: AnnotationRepository;
  readonly #objects: ObjectRepository;
  readonly #items: ItemStore;
  readonly #object_store: ObjectStore;
  readonly #importer: AnnotationImporter;
  readonly #explore: ExploreReader;

  constructor(location: StoreLocation) {
    mkdirSync(join(location.folder, 'index'), { recursive: true });
    this.#db = openDatabase(join(location.folder, 'data.db'), datasetMigrations);
    this.#files = new FileRepository(this.#db, location.data_folder);
    this.#media = new MediaRepository(this.#db);
    this.#meta = new MetaRepository(this.#db);
    const sharedPacks = (entity_type: EntityType) => this.#meta.get<number>(SHARED_PACKS[entity_type]) ?? 0;
    this.#thumbnails = new ThumbnailPacks(
      join(location.folder, 'thumbnails'),
      this.#media.thumbnailEnd(),
      sharedPacks('IMAGES'),
    );
    this.#cluster_ids = new ClusterIds(location.dataset_id);
    this.#live = new LiveRows(this.#db, () => this.#explore.refresh());
    this.#index = new IndexReader(location.folder, this.#meta, this.#live);
    this.#vectors = new VectorSpaces(location.folder, this.#meta);
    this.#annotations = new AnnotationRepository(this.#db);
    this.#objects = new ObjectRepository(this.#db);
    const { folder, data_folder } = location;
    const openParquet = createParquetThreads(location.parquet_entry_file);
    const parts = { db: this.#db, annotations: this.#annotations, objects: this.#objects, data_folder };
    this.#object_store = new ObjectStore({
      ...parts,
      vectors: this.#vectors,
      folder,
      shared_packs: sharedPacks('OBJECTS'),
    });
    this.#importer = new AnnotationImporter({ ...parts, openParquet });
    const models = new ModelResultRepository(this.#db);
    this.#explore = new ExploreReader({
      media: this.#media,
      models,
      objects: this.#objects,
      annotations: this.#annotations,
      vectors: this.#vectors,
      index: this.#index,
      cluster_ids: this.#cluster_ids,
    });
    const item_parts = { ...parts, media: this.#media, thumbnails: this.#thumbnails, live: this.#live };
    this.#items = new ItemStore({ ...item_parts, files: this.#files, vectors: this.#vectors });
    this.changes = new LocalChangeStore({
      ...item_parts,
      index: this.#index,
      openVectors: () => this.#vectors.of('IMAGES'),
    });
    this.enrichment = new LocalEnrichmentStore({
      db: this.#db,
      results: models,
      meta: this.#meta,
      vectors: this.#vectors,
      index: this.#index,
      countRows: (entity_type) => this.#countRows(entity_type),
      noteChange: () => this.#explore.refresh(),
      openParquet,
      folder,
      data_folder,
    });
  }

  close(): void {
    void this.#importer.close();
    this.#thumbnails.close();
    this.#object_store.close();
    this.#vectors.close();
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

  discardBatch(batch_id: string, keep_errors: boolean): void {
    const first_row = this.#index.published('IMAGES')?.count ?? 0;
    this.#db.transaction(() => {
      this.#deleteAnnotations(batch_id);
      this.#media.deleteFrom(first_row, batch_id);
      this.#files.deleteBatch(batch_id, keep_errors);
    })();
    this.#thumbnails.rewind(this.#media.thumbnailEnd());
    this.#object_store.rewind();
    this.#explore.refresh();
  }

  addFiles(batch_id: string, files: NewFile[]): number {
    return this.#files.addFiles(batch_id, files);
  }

  addUploads(batch_id: string, files: NewFile[]): number {
    return this.#files.addUploads(batch_id, files);
  }

  openVectorSpace(space: VectorSpace): void {
    for (const entity_type of ENTITY_TYPES) this.#vectors.fix(entity_type, space);
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
    this.#items.saveVideo(video, frames);
  }

  failFile(file_id: number, kind: FileProblemKind, reason: string): void {
    this.#items.failFile(file_id, kind, reason);
  }

  saveResults(results: ImageResult[]): void {
    this.#items.saveResults(results);
  }

  retryFailed(batch_id: string): number {
    return this.#files.retryFailed(batch_id);
  }

  counts(batch_id?: string): StoreCounts {
    return {
      ...this.#files.counts(batch_id),
      ...this.#media.countByType(batch_id),
      ...this.#annotations.counts(batch_id),
      n_objects: this.#objects.count(batch_id),
    };
  }

  listFileErrors(query: { kind: FileProblemKind | null; batch_id: string | null; offset: number; limit: number }) {
    return this.#files.listErrors(query);
  }

  prepareIndex(entity_type: EntityType): IndexFiles {
    const vectors = this.#vectors.of(entity_type);
    vectors.sync();
    this.#thumbnails.sync();
    this.#object_store.sync();
    const names = this.#index.nextFileNames(entity_type);
    const count = this.#countRows(entity_type);
    return {
      ...names,
      vectors_folder: vectors.folder,
      dim: vectors.dim,
      count,
      dead_rows: this.#live.dead(entity_type, count),
      published: this.#index.published(entity_type),
    };
  }

  publishIndex(entries: { entity_type: EntityType; files: IndexFiles; cuts: readonly number[] }[]): void {
    this.#db.transaction(() => {
      for (const { entity_type, files, cuts } of entries) this.#index.publish(entity_type, files, cuts);
    })();
    this.#explore.refresh();
  }

  listVideos(query: { level: number; page_number: number }): ClusterList {
    return this.#explore.listVideos(query);
  }

  listClusters(query: { entity_type: EntityType; level: number; page_number: number }): ClusterList {
    return this.#explore.listClusters(query);
  }

  searchItems(search: ItemSearch) {
    return this.#explore.searchItems(search);
  }

  getCluster(query: { cluster_id: string; offset: number; limit: number }): ClusterItems | undefined {
    return this.#explore.getCluster(query);
  }

  async beginAnnotations(batch_id: string): Promise<number> {
    if (!this.#annotations.isWaiting(batch_id)) {
      this.#annotations.finish(batch_id);
      return 0;
    }
    this.#db.transaction(() => this.#deleteAnnotations(batch_id))();
    this.#object_store.rewind();
    return this.#importer.begin(batch_id);
  }

  async readAnnotations(batch_id: string): Promise<{ n_rows: number; finished: boolean }> {
    const page = await this.#importer.next(batch_id);
    if (page.finished) this.#live.noteChange();
    return page;
  }

  listBoxes(batch_id: string, after: BoxCursor, limit: number) {
    return this.#object_store.listBoxes(batch_id, after, limit);
  }

  countBoxes(batch_id: string): number {
    return this.#objects.countFound(batch_id);
  }

  saveBoxes(results: BoxResult[]): void {
    if (this.#object_store.saveBoxes(results)) this.#live.noteChange();
  }

  listAnnotationProblems(query: { offset: number; limit: number }): {
    annotation_problems: AnnotationProblemRow[];
    total: number;
  } {
    return this.#annotations.listProblems(query);
  }

  listLabels(entity_type: EntityType, limit: number): { name: string; count: number }[] {
    return entity_type === 'IMAGES' ? this.#annotations.listLabels(limit) : this.#objects.listLabels(limit);
  }

  /** Living or not. */
  #countRows(entity_type: EntityType): number {
    return entity_type === 'IMAGES' ? this.#media.count() : this.#objects.rows();
  }

  /** Joins the caller's transaction. */
  #deleteAnnotations(batch_id: string): void {
    this.#annotations.deleteBatch(batch_id);
    this.#object_store.deleteBatch(this.#index.published('OBJECTS')?.count ?? 0, batch_id);
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
      label_details: this.#annotations.labelsOf(media_id),
      caption_details: this.#annotations.captionsOf(media_id),
      objects: this.#objects.listOfMedia(media_id),
      cluster_ids: this.#index
        .clusterKeysOf('IMAGES', row.row)
        .map(({ level, first_row }) => this.#cluster_ids.encode({ entity_type: 'IMAGES', level, first_row })),
    };
  }

  locateOriginal(media_id: string): ByteRange | undefined {
    return this.#items.locateOriginal(media_id);
  }

  /** @param media_id An item's, or an object's. */
  locateThumbnail(media_id: string): ByteRange | undefined {
    const row = this.#media.find(media_id);
    if (!row) return this.#object_store.locateThumbnail(media_id);
    return {
      path: this.#thumbnails.path(row.thumbnail_pack),
      offset: row.thumbnail_offset,
      length: row.thumbnail_bytes,
      content_hash: `thumbnail-${row.content_hash}`,
      format: 'webp',
      file_name: `${fileName(row.file_path)}.webp`,
    };
  }
}
