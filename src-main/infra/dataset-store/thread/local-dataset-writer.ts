import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { AppError } from '../../../contract/errors.ts';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { BoxCursor, BoxResult } from '../../../core/ports/boxes.ts';
import type { ChangeWriter } from '../../../core/ports/change-writer.ts';
import type {
  FetchResult,
  FileCursor,
  FileProblemKind,
  NewFile,
  NewVideo,
  PendingFile,
  RemoteFile,
} from '../../../core/ports/dataset-files.ts';
import type { BatchRow, SourceRow } from '../../../core/ports/dataset-sources.ts';
import type { DatasetWriter } from '../../../core/ports/dataset-writer.ts';
import type { DuplicateWriter } from '../../../core/ports/duplicates.ts';
import type { EditWriter } from '../../../core/ports/edits.ts';
import type { EnrichmentWriter } from '../../../core/ports/enrichment-writer.ts';
import type { IndexEntry, IndexFiles } from '../../../core/ports/index-files.ts';
import type { ImageResult } from '../../../core/ports/local-jobs.ts';
import type { MetadataWriter } from '../../../core/ports/metadata.ts';
import type { ProjectionWriter } from '../../../core/ports/projection.ts';
import type { RepairWriter } from '../../../core/ports/repair-writer.ts';
import type { EmbeddingSpace, VectorSpace } from '../../../core/ports/vector-space.ts';
import { systemClock } from '../../clock.ts';
import { createParquetThreads } from '../../parquet/parquet-thread.ts';
import { openDatabase } from '../../sqlite/open-database.ts';
import type { Answered } from '../../threads/answered.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { inspectFolder } from '../disk/inspect-generation.ts';
import {
  laterPosition,
  MENDED_END,
  type PackPosition,
  SHARED_PACKS,
  THUMBNAIL_FOLDERS,
  ThumbnailPacks,
} from '../disk/thumbnail-packs.ts';
import { VectorSpaces } from '../disk/vector-spaces.ts';
import { DataVersions } from '../read/data-versions.ts';
import { IndexReader } from '../read/index-reader.ts';
import { LiveRows } from '../read/live-rows.ts';
import { Projections } from '../read/projections.ts';
import { MetaRepository } from '../rows/meta.repository.ts';
import { datasetMigrations } from '../schema/migrations.ts';
import { AnnotationImporter } from '../write/annotation-importer.ts';
import { ItemStore } from '../write/item-store.ts';
import { LocalChangeWriter } from '../write/local-change-writer.ts';
import { LocalDuplicateWriter } from '../write/local-duplicate-writer.ts';
import { LocalEditWriter } from '../write/local-edit-writer.ts';
import { LocalEnrichmentWriter } from '../write/local-enrichment-writer.ts';
import { LocalMetadataWriter } from '../write/local-metadata-writer.ts';
import { LocalProjectionWriter } from '../write/local-projection-writer.ts';
import { LocalRepairWriter } from '../write/local-repair-writer.ts';
import { ObjectStore } from '../write/object-store.ts';
import { RowAppender } from '../write/row-appender.ts';
import { openWriterRows, type WriterRows } from '../write/writer-rows.ts';
import type { StoreLocation } from './store-location.ts';

type Local = Answered<
  DatasetWriter,
  Exclude<
    keyof DatasetWriter,
    | keyof ChangeWriter
    | keyof EnrichmentWriter
    | keyof EditWriter
    | keyof RepairWriter
    | keyof DuplicateWriter
    | keyof ProjectionWriter
    | keyof MetadataWriter
  >
>;

/** Writes one generation of one dataset. */
export class LocalDatasetWriter implements Local {
  readonly changes: LocalChangeWriter;
  readonly enrichment: LocalEnrichmentWriter;
  readonly edits: LocalEditWriter;
  readonly repair: LocalRepairWriter;
  readonly duplicates: LocalDuplicateWriter;
  readonly projection: LocalProjectionWriter;
  readonly metadata: LocalMetadataWriter;
  readonly #db: Database.Database;
  readonly #rows: WriterRows;
  readonly #meta: MetaRepository;
  readonly #thumbnails: Record<EntityType, ThumbnailPacks>;
  readonly #itemAppender: RowAppender;
  readonly #objectAppender: RowAppender;
  readonly #live: LiveRows;
  readonly #index: IndexReader;
  readonly #vectors: VectorSpaces;
  readonly #projections: Projections;
  readonly #items: ItemStore;
  readonly #objectStore: ObjectStore;
  readonly #importer: AnnotationImporter;
  readonly #versions: DataVersions;

  constructor(location: StoreLocation) {
    const wrong = inspectFolder(location.folder);
    if (wrong !== undefined) throw new AppError('damaged', wrong);
    mkdirSync(join(location.folder, 'index'), { recursive: true });
    this.#db = openDatabase(join(location.folder, 'data.db'), datasetMigrations);
    this.#rows = openWriterRows(this.#db, location.dataFolder);
    this.#meta = new MetaRepository(this.#db);
    const openPacks = (entityType: EntityType) =>
      new ThumbnailPacks(
        join(location.folder, THUMBNAIL_FOLDERS[entityType]),
        this.#thumbnailEnd(entityType),
        this.#meta.get<number>(SHARED_PACKS[entityType]) ?? 0,
      );
    this.#thumbnails = { IMAGES: openPacks('IMAGES'), OBJECTS: openPacks('OBJECTS') };
    this.#versions = new DataVersions(this.#meta);
    this.#live = new LiveRows(this.#db, this.#versions);
    this.#index = new IndexReader(location.folder, this.#meta, this.#live);
    this.#vectors = new VectorSpaces(location.folder, this.#meta);
    this.#projections = new Projections({
      folder: location.folder,
      meta: this.#meta,
      index: this.#index,
      vectors: this.#vectors,
    });
    const { folder, dataFolder } = location;
    const openParquet = createParquetThreads(location.parquetEntryFile);
    const parts = { db: this.#db, rows: this.#rows, live: this.#live, dataFolder };
    const appended = { db: this.#db, vectors: this.#vectors, texts: this.#rows.texts };
    this.#rows.texts.refreshByPages();
    this.#itemAppender = new RowAppender({
      ...appended,
      entity_type: 'IMAGES',
      thumbnails: this.#thumbnails.IMAGES,
      countRows: () => this.#rows.media.count(),
      thumbnailEnd: () => this.#thumbnailEnd('IMAGES'),
    });
    this.#objectAppender = new RowAppender({
      ...appended,
      entity_type: 'OBJECTS',
      thumbnails: this.#thumbnails.OBJECTS,
      countRows: () => this.#rows.objects.rows(),
      thumbnailEnd: () => this.#thumbnailEnd('OBJECTS'),
    });
    this.#objectStore = new ObjectStore({ ...parts, appender: this.#objectAppender });
    this.#importer = new AnnotationImporter({ ...parts, versions: this.#versions, openParquet });
    const itemParts = { ...parts, appender: this.#itemAppender };
    this.#items = new ItemStore(itemParts);
    this.changes = new LocalChangeWriter(itemParts);
    this.edits = new LocalEditWriter({ db: this.#db, rows: this.#rows, versions: this.#versions });
    this.enrichment = new LocalEnrichmentWriter({
      db: this.#db,
      results: this.#rows.results,
      meta: this.#meta,
      vectors: this.#vectors,
      index: this.#index,
      countRows: (entityType) => this.#countRows(entityType),
      noteChange: () => {
        this.#rows.texts.refresh();
        this.#versions.noteSaid();
      },
      saveBoxes: (results) => this.saveBoxes(results),
      openParquet,
      folder,
      dataFolder,
    });
    this.duplicates = new LocalDuplicateWriter({
      db: this.#db,
      meta: this.#meta,
      pairs: this.#rows.duplicates,
      trimmed: this.#rows.trimmed,
      vectors: this.#vectors,
      index: this.#index,
      versions: this.#versions,
      folder,
    });
    this.projection = new LocalProjectionWriter({
      db: this.#db,
      index: this.#index,
      live: this.#live,
      projections: this.#projections,
      vectors: this.#vectors,
    });
    this.metadata = new LocalMetadataWriter({ db: this.#db, rows: this.#rows, openParquet });
    this.repair = new LocalRepairWriter({
      db: this.#db,
      meta: this.#meta,
      lost: this.#rows.lost,
      results: this.#rows.results,
      vectors: this.#vectors,
      thumbnails: this.#thumbnails,
      index: this.#index,
      projections: this.#projections,
      versions: this.#versions,
      folder,
      dataFolder,
    });
  }

  close(): void {
    void this.#importer.close();
    for (const packs of Object.values(this.#thumbnails)) packs.close();
    this.#vectors.close();
    this.#db.close();
  }

  addSource(source: SourceRow): void {
    this.#rows.sources.add(source);
  }

  ensureFolderSource(root: string): string {
    const known = this.#rows.sources.findFolder(root);
    if (known !== undefined) return known;
    const sourceId = randomUUID();
    this.#rows.sources.add({ source_id: sourceId, kind: 'folder', root });
    return sourceId;
  }

  addBatch(batch: BatchRow): void {
    this.#rows.batches.add(batch, systemClock.iso());
  }

  discardBatch(batchId: string, keepErrors: boolean): void {
    const firstRow = this.#publishedRows('IMAGES');
    this.#db.transaction(() => {
      this.#deleteAnnotations(batchId);
      this.#rows.media.deleteFrom(firstRow, batchId);
      this.#rows.batches.delete(batchId, keepErrors);
      this.#rows.texts.refresh();
      for (const entityType of ENTITY_TYPES) {
        this.#rows.rowSets.clearFrom(entityType, this.#countRows(entityType));
        this.#projections.clearFrom(entityType, this.#countRows(entityType));
      }
      this.duplicates.clearFrom(this.#countRows('IMAGES'));
      this.#rows.metadata.clearFrom(this.#countRows('IMAGES'));
      this.#live.noteChange();
    })();
    this.#itemAppender.rewind();
    this.#objectAppender.rewind();
  }

  addFiles(batchId: string, files: NewFile[]): number {
    return this.#rows.files.addFiles(batchId, files);
  }

  addUploads(batchId: string, files: NewFile[]): number {
    return this.#rows.files.addUploads(batchId, files);
  }

  openVectorSpace(space: EmbeddingSpace, made: VectorSpace): void {
    for (const entityType of ENTITY_TYPES) {
      if (this.#vectors.find(space, entityType) !== undefined) continue;
      this.#vectors.fix(space, entityType, made);
      // Copies of former versions may lack looks. Those of their rows are made by the next reindex.
      const nRows = this.#countRows(entityType);
      if (nRows === 0) continue;
      this.#vectors.of(space, entityType).extendTo(nRows);
      this.#rows.lost.add(entityType, space, { from: 0, to: nRows });
    }
  }

  knownPaths(batchId: string, filePaths: string[]): string[] {
    return this.#rows.files.knownPaths(batchId, filePaths);
  }

  listRemote(batchId: string, after: FileCursor, limit: number): RemoteFile[] {
    return this.#rows.files.listRemote(batchId, after, limit);
  }

  saveFetched(results: FetchResult[]): void {
    this.#rows.files.saveFetched(results);
  }

  listPending(batchId: string, kind: 'image' | 'video', after: FileCursor, limit: number): PendingFile[] {
    return this.#rows.files.listPending(batchId, kind, after, limit);
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
    return this.#rows.files.retryFailed(batchId);
  }

  prepareIndex(space: EmbeddingSpace, entityType: EntityType): IndexFiles {
    const vectors = this.#vectors.of(space, entityType);
    vectors.sync();
    for (const packs of Object.values(this.#thumbnails)) packs.sync();
    const names = this.#index.nextFileNames(space, entityType);
    const count = this.#countRows(entityType);
    return {
      ...names,
      vectors_folder: vectors.folder,
      dim: vectors.dim,
      count,
      dead_rows: this.#deadRows(entityType, count),
      published: this.#index.published(space, entityType),
    };
  }

  publishIndex(entries: IndexEntry[]): void {
    this.#db.transaction(() => {
      for (const entry of entries) this.#index.publish(entry);
      if (entries.some(({ space }) => space === 'meaning')) this.#vectors.settleMeaning();
      if (this.#rows.annotatedObjects.removeReplaced()) this.#live.noteChange();
    })();
  }

  async beginAnnotations(batchId: string): Promise<number> {
    if (!this.#rows.annotationFiles.isWaiting(batchId)) {
      this.#rows.annotationFiles.finish(batchId);
      return 0;
    }
    this.#db.transaction(() => {
      this.#deleteAnnotations(batchId);
      this.#rows.texts.refresh();
      this.#live.noteChange();
    })();
    this.#objectAppender.rewind();
    return this.#importer.begin(batchId);
  }

  async readAnnotations(batchId: string): Promise<{ n_rows: number; finished: boolean }> {
    return this.#importer.next(batchId);
  }

  listBoxes(batchId: string, after: BoxCursor, limit: number) {
    return this.#objectStore.listBoxes(batchId, after, limit);
  }

  countBoxes(batchId: string): number {
    return this.#rows.boxes.count(batchId);
  }

  saveBoxes(results: BoxResult[]): void {
    this.#objectStore.saveBoxes(results);
  }

  /** Where the next thumbnail goes. */
  #thumbnailEnd(entityType: EntityType): PackPosition {
    const { media, objects } = this.#rows;
    const ofRows = entityType === 'IMAGES' ? media.thumbnailEnd() : objects.thumbnailEnd();
    return laterPosition(ofRows, this.#meta.get<PackPosition>(MENDED_END[entityType]));
  }

  /** Living or not. */
  #countRows(entityType: EntityType): number {
    return entityType === 'IMAGES' ? this.#rows.media.count() : this.#rows.objects.rows();
  }

  /** Those that are dead once an index of `count` rows is published. */
  #deadRows(entityType: EntityType, count: number): number[] {
    const alive = this.#live.read(entityType, count);
    const replaced = entityType === 'OBJECTS' ? this.#rows.annotatedObjects.listReplaced() : [];
    return [...alive.without(RowSet.of(count, replaced)).not().toRows()];
  }

  /** Rows that are shown. */
  #publishedRows(entityType: EntityType): number {
    return this.#index.published(this.#index.shownSpace(entityType), entityType)?.count ?? 0;
  }

  /** Joins the caller's transaction. */
  #deleteAnnotations(batchId: string): void {
    this.#rows.annotations.deleteBatch(batchId);
    this.#rows.problems.deleteBatch(batchId);
    this.#rows.boxes.deleteBatch(batchId);
    this.#rows.annotatedObjects.keepReplaced(batchId);
    this.#rows.objects.deleteBatch(this.#publishedRows('OBJECTS'), batchId);
  }
}
