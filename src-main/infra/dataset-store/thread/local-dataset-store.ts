import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { BoxCursor, BoxResult } from '../../../core/ports/boxes.ts';
import type { ChangeWriter } from '../../../core/ports/change-writer.ts';
import type { Exif, ImageResult } from '../../../core/ports/compute.ts';
import type {
  FetchResult,
  FileCursor,
  FileProblemKind,
  NewFile,
  NewVideo,
  PendingFile,
  RemoteFile,
} from '../../../core/ports/dataset-files.ts';
import type {
  AnnotationProblemRow,
  ByteRange,
  DatasetReader,
  StoreCounts,
} from '../../../core/ports/dataset-reader.ts';
import type { BatchRow, BatchSummary, SourceRow } from '../../../core/ports/dataset-sources.ts';
import type { DatasetWriter } from '../../../core/ports/dataset-writer.ts';
import type { EnrichmentWriter } from '../../../core/ports/enrichment-writer.ts';
import type { ClusterItems, ClusterList, ItemDetails, ItemSearch } from '../../../core/ports/explored.ts';
import type { IndexEntry, IndexFiles } from '../../../core/ports/index-files.ts';
import type { EmbeddingSpace, VectorSpace } from '../../../core/ports/vector-space.ts';
import { systemClock } from '../../clock.ts';
import { createParquetThreads } from '../../parquet/parquet-thread.ts';
import { openDatabase } from '../../sqlite/open-database.ts';
import type { Answered } from '../../threads/answered.ts';
import { fileName } from '../disk/locations.ts';
import { moveToSpaces } from '../disk/move-to-spaces.ts';
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
import { qualityOf } from '../rows/quality-columns.ts';
import { datasetMigrations } from '../schema/migrations.ts';
import { AnnotationImporter } from '../write/annotation-importer.ts';
import { ItemStore } from '../write/item-store.ts';
import { LocalChangeStore } from '../write/local-change-store.ts';
import { LocalEnrichmentStore } from '../write/local-enrichment-store.ts';
import { ObjectStore } from '../write/object-store.ts';
import type { StoreLocation } from './dataset-store.client.ts';

type Local = Answered<DatasetWriter, Exclude<keyof DatasetWriter, keyof ChangeWriter | keyof EnrichmentWriter>> &
  Answered<DatasetReader, Exclude<keyof DatasetReader, keyof LocalChangeStore | keyof LocalEnrichmentStore>>;

/** One generation of one dataset, open in this thread. */
export class LocalDatasetStore implements Local {
  readonly changes: LocalChangeStore;
  readonly enrichment: LocalEnrichmentStore;
  readonly #db: Database.Database;
  readonly #files: FileRepository;
  readonly #media: MediaRepository;
  readonly #meta: MetaRepository;
  readonly #thumbnails: ThumbnailPacks;
  readonly #clusterIds: ClusterIds;
  readonly #live: LiveRows;
  readonly #index: IndexReader;
  readonly #vectors: VectorSpaces;
  readonly #annotations: AnnotationRepository;
  readonly #objects: ObjectRepository;
  readonly #items: ItemStore;
  readonly #objectStore: ObjectStore;
  readonly #importer: AnnotationImporter;
  readonly #explore: ExploreReader;

  constructor(location: StoreLocation) {
    mkdirSync(join(location.folder, 'index'), { recursive: true });
    moveToSpaces(location.folder);
    this.#db = openDatabase(join(location.folder, 'data.db'), datasetMigrations);
    this.#files = new FileRepository(this.#db, location.dataFolder);
    this.#media = new MediaRepository(this.#db);
    this.#meta = new MetaRepository(this.#db);
    const sharedPacks = (entityType: EntityType) => this.#meta.get<number>(SHARED_PACKS[entityType]) ?? 0;
    this.#thumbnails = new ThumbnailPacks(
      join(location.folder, 'thumbnails'),
      this.#media.thumbnailEnd(),
      sharedPacks('IMAGES'),
    );
    this.#clusterIds = new ClusterIds(location.dataset_id);
    this.#live = new LiveRows(this.#db, () => this.#explore.refresh());
    this.#index = new IndexReader(location.folder, this.#meta, this.#live);
    this.#vectors = new VectorSpaces(location.folder, this.#meta);
    this.#annotations = new AnnotationRepository(this.#db);
    this.#objects = new ObjectRepository(this.#db);
    const { folder, dataFolder } = location;
    const openParquet = createParquetThreads(location.parquetEntryFile);
    const parts = { db: this.#db, annotations: this.#annotations, objects: this.#objects, dataFolder };
    this.#objectStore = new ObjectStore({
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
      clusterIds: this.#clusterIds,
    });
    const itemParts = {
      ...parts,
      media: this.#media,
      results: models,
      vectors: this.#vectors,
      thumbnails: this.#thumbnails,
      live: this.#live,
    };
    this.#items = new ItemStore({ ...itemParts, files: this.#files });
    this.changes = new LocalChangeStore({
      ...itemParts,
      index: this.#index,
    });
    this.enrichment = new LocalEnrichmentStore({
      db: this.#db,
      results: models,
      meta: this.#meta,
      vectors: this.#vectors,
      index: this.#index,
      countRows: (entityType) => this.#countRows(entityType),
      noteChange: () => this.#explore.refresh(),
      openParquet,
      folder,
      dataFolder,
    });
  }

  close(): void {
    void this.#importer.close();
    this.#thumbnails.close();
    this.#objectStore.close();
    this.#vectors.close();
    this.#db.close();
  }

  addSource(source: SourceRow): void {
    this.#files.addSource(source);
  }

  ensureFolderSource(root: string): string {
    const known = this.#files.findFolderSource(root);
    if (known !== undefined) return known;
    const sourceId = randomUUID();
    this.#files.addSource({ source_id: sourceId, kind: 'folder', root });
    return sourceId;
  }

  addBatch(batch: BatchRow): void {
    this.#files.addBatch(batch, systemClock.iso());
  }

  listBatches(): BatchSummary[] {
    return this.#files.listBatches();
  }

  discardBatch(batchId: string, keepErrors: boolean): void {
    const firstRow = this.#publishedRows('IMAGES');
    this.#db.transaction(() => {
      this.#deleteAnnotations(batchId);
      this.#media.deleteFrom(firstRow, batchId);
      this.#files.deleteBatch(batchId, keepErrors);
    })();
    this.#thumbnails.rewind(this.#media.thumbnailEnd());
    this.#objectStore.rewind();
    this.#explore.refresh();
  }

  addFiles(batchId: string, files: NewFile[]): number {
    return this.#files.addFiles(batchId, files);
  }

  addUploads(batchId: string, files: NewFile[]): number {
    return this.#files.addUploads(batchId, files);
  }

  openVectorSpace(space: EmbeddingSpace, made: VectorSpace): void {
    for (const entityType of ENTITY_TYPES) this.#vectors.fix(space, entityType, made);
  }

  knownPaths(batchId: string, filePaths: string[]): string[] {
    return this.#files.knownPaths(batchId, filePaths);
  }

  listRemote(batchId: string, after: FileCursor, limit: number): RemoteFile[] {
    return this.#files.listRemote(batchId, after, limit);
  }

  saveFetched(results: FetchResult[]): void {
    this.#files.saveFetched(results);
  }

  listPending(batchId: string, kind: 'image' | 'video', after: FileCursor, limit: number): PendingFile[] {
    return this.#files.listPending(batchId, kind, after, limit);
  }

  saveVideo(video: NewVideo, frames: NewFile[]): void {
    this.#items.saveVideo(video, frames);
  }

  failFile(fileId: number, kind: FileProblemKind, reason: string): void {
    this.#items.failFile(fileId, kind, reason);
  }

  saveResults(results: ImageResult[]): void {
    this.#items.saveResults(results);
  }

  retryFailed(batchId: string): number {
    return this.#files.retryFailed(batchId);
  }

  counts(batchId?: string): StoreCounts {
    return {
      ...this.#files.counts(batchId),
      ...this.#media.countByType(batchId),
      ...this.#annotations.counts(batchId),
      n_objects: this.#objects.count(batchId),
    };
  }

  listFileErrors(query: { kind: FileProblemKind | null; batch_id: string | null; offset: number; limit: number }) {
    return this.#files.listErrors(query);
  }

  prepareIndex(space: EmbeddingSpace, entityType: EntityType): IndexFiles {
    const vectors = this.#vectors.of(space, entityType);
    vectors.sync();
    this.#thumbnails.sync();
    this.#objectStore.sync();
    const names = this.#index.nextFileNames(space, entityType);
    const count = this.#countRows(entityType);
    return {
      ...names,
      vectors_folder: vectors.folder,
      dim: vectors.dim,
      count,
      dead_rows: this.#live.dead(entityType, count),
      published: this.#index.published(space, entityType),
    };
  }

  publishIndex(entries: IndexEntry[]): void {
    this.#db.transaction(() => {
      for (const entry of entries) this.#index.publish(entry);
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

  async beginAnnotations(batchId: string): Promise<number> {
    if (!this.#annotations.isWaiting(batchId)) {
      this.#annotations.finish(batchId);
      return 0;
    }
    this.#db.transaction(() => this.#deleteAnnotations(batchId))();
    this.#objectStore.rewind();
    return this.#importer.begin(batchId);
  }

  async readAnnotations(batchId: string): Promise<{ n_rows: number; finished: boolean }> {
    const page = await this.#importer.next(batchId);
    if (page.finished) this.#live.noteChange();
    return page;
  }

  listBoxes(batchId: string, after: BoxCursor, limit: number) {
    return this.#objectStore.listBoxes(batchId, after, limit);
  }

  countBoxes(batchId: string): number {
    return this.#objects.countFound(batchId);
  }

  saveBoxes(results: BoxResult[]): void {
    if (this.#objectStore.saveBoxes(results)) this.#live.noteChange();
  }

  listAnnotationProblems(query: { offset: number; limit: number }): {
    annotation_problems: AnnotationProblemRow[];
    total: number;
  } {
    return this.#annotations.listProblems(query);
  }

  listLabels(entityType: EntityType, limit: number): { name: string; count: number }[] {
    return entityType === 'IMAGES' ? this.#annotations.listLabels(limit) : this.#objects.listLabels(limit);
  }

  /** Living or not. */
  #countRows(entityType: EntityType): number {
    return entityType === 'IMAGES' ? this.#media.count() : this.#objects.rows();
  }

  /** Rows that are shown. */
  #publishedRows(entityType: EntityType): number {
    return this.#index.published(this.#index.shownSpace(entityType), entityType)?.count ?? 0;
  }

  /** Joins the caller's transaction. */
  #deleteAnnotations(batchId: string): void {
    this.#annotations.deleteBatch(batchId);
    this.#objectStore.deleteBatch(this.#publishedRows('OBJECTS'), batchId);
  }

  findItem(mediaId: string): ItemDetails | undefined {
    const row = this.#media.find(mediaId);
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
      quality: qualityOf(row),
      exif: row.exif === null ? null : (JSON.parse(row.exif) as Exif),
      label_details: this.#annotations.labelsOf(mediaId),
      caption_details: this.#annotations.captionsOf(mediaId),
      objects: this.#objects.listOfMedia(mediaId),
      cluster_ids: this.#index
        .clusterKeysOf('IMAGES', row.row)
        .map(({ level, first_row }) => this.#clusterIds.encode({ entity_type: 'IMAGES', level, first_row })),
    };
  }

  locateOriginal(mediaId: string): ByteRange | undefined {
    return this.#items.locateOriginal(mediaId);
  }

  /** @param mediaId An item's, or an object's. */
  locateThumbnail(mediaId: string): ByteRange | undefined {
    const row = this.#media.find(mediaId);
    if (!row) return this.#objectStore.locateThumbnail(mediaId);
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
