import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { StoreWrites } from '../../../core/ports/dataset-store.ts';
import { createParquetThreads } from '../../parquet/parquet-thread.ts';
import { openDatabase } from '../../sqlite/open-database.ts';
import type { Answered } from '../../threads/answered.ts';
import type { ServedMethods } from '../../threads/thread-port.ts';
import { openVectorEngine } from '../../vectors/open-engine.ts';
import { AnnotationImporter } from '../annotations/annotation-importer.ts';
import { LocalAnnotationWrites } from '../annotations/local-annotation-writes.ts';
import { ObjectStore } from '../annotations/object-store.ts';
import { LocalChangeWrites } from '../changes/local-change-writes.ts';
import { DataVersions } from '../columns/data-versions.ts';
import { LiveRows } from '../columns/live-rows.ts';
import { inspectFolder } from '../disk/inspect-generation.ts';
import { MetaRepository } from '../disk/meta.repository.ts';
import {
  laterPosition,
  type PackPosition,
  REPAIRED_END,
  SHARED_PACKS,
  THUMBNAIL_FOLDERS,
  ThumbnailPacks,
} from '../disk/thumbnail-packs.ts';
import { LocalDuplicateWrites } from '../duplicates/local-duplicate-writes.ts';
import { LocalEditWrites } from '../edits/local-edit-writes.ts';
import { LocalEnrichmentWrites } from '../enrichment/local-enrichment-writes.ts';
import { discardBatch } from '../intake/discard-batch.ts';
import { itemIds } from '../intake/item-ids.ts';
import { ItemStore } from '../intake/item-store.ts';
import { LocalIntakeWrites } from '../intake/local-intake-writes.ts';
import { RowAppender } from '../intake/row-appender.ts';
import { LocalMapWrites } from '../map/local-map-writes.ts';
import { Projections } from '../map/projections.ts';
import { LocalMetadataWrites } from '../metadata/local-metadata-writes.ts';
import { LocalRepairWrites } from '../repairs/local-repair-writes.ts';
import { LocalResultWrites } from '../results/local-result-writes.ts';
import { datasetMigrations } from '../schema/migrations.ts';
import { LocalSnapshotWrites } from '../snapshots/local-snapshot-writes.ts';
import { IndexReader } from '../vectors/index-reader.ts';
import { LocalVectorWrites } from '../vectors/local-vector-writes.ts';
import { engineLocation, VectorSpaces } from '../vectors/vector-spaces.ts';
import { IdleCheckpoints } from './idle-checkpoints.ts';
import { MethodRegistry } from './method-registry.ts';
import type { StoreLocation } from './store-location.ts';
import { openWriterRows, type WriterRows } from './writer-rows.ts';

/** The write side of the store, as the writer thread implements it. */
export type WriteSubjects = { readonly [Subject in keyof StoreWrites]: Answered<StoreWrites[Subject]> };

/** Built and checked when the thread starts. */
const REGISTRY = new MethodRegistry<WriteSubjects>('write', [
  ['edits', LocalEditWrites],
  ['vectors', LocalVectorWrites],
  ['duplicates', LocalDuplicateWrites],
  ['map', LocalMapWrites],
  ['snapshots', LocalSnapshotWrites],
  ['intake', LocalIntakeWrites],
  ['changes', LocalChangeWrites],
  ['annotations', LocalAnnotationWrites],
  ['metadata', LocalMetadataWrites],
  ['enrichment', LocalEnrichmentWrites],
  ['results', LocalResultWrites],
  ['repairs', LocalRepairWrites],
]);

type Opened = ReturnType<typeof openSubjects>;

/** Writes one generation of a dataset. Opening the generation brings its files up to date, so that readers can open them. */
export class GenerationWriter {
  readonly #opened: Opened;
  readonly #checkpoints: IdleCheckpoints;
  readonly subjects: Opened['subjects'];
  /** Methods by `subject.method`. */
  readonly methods: ServedMethods;

  /** @throws AppError `damaged` if files of the generation are missing. */
  constructor(location: StoreLocation) {
    const wrong = inspectFolder(location.folder);
    if (wrong !== undefined) throw new AppError('damaged', wrong);
    mkdirSync(join(location.folder, 'index'), { recursive: true });
    this.#opened = openSubjects(location);
    this.#checkpoints = new IdleCheckpoints(this.#opened.db);
    this.subjects = this.#opened.subjects;
    this.methods = REGISTRY.bind(this.subjects);
  }

  /** Whether the thread can end now without losing work: no file is being read page by page. */
  get isAtRest(): boolean {
    const { importer, metadata, results } = this.#opened;
    return !importer.isReading && !metadata.isReading && !results.isReading;
  }

  async close(): Promise<void> {
    const { importer, results, thumbnails, vectorEngine, db } = this.#opened;
    const closing = Promise.all([importer.close(), results.pause(), vectorEngine.close()]);
    for (const packs of Object.values(thumbnails)) packs.close();
    this.#checkpoints.close();
    db.close();
    await closing;
  }
}

function openSubjects(location: StoreLocation) {
  const shared = openShared(location);
  const { db, rows, index, versions, countRows, appenders } = shared;
  const openParquet = createParquetThreads(location.parquetEntryFile);
  const countPublished = (entityType: EntityType) =>
    index.published(index.shownSpace(entityType), entityType)?.count ?? 0;
  const importer = new AnnotationImporter({ ...shared, openParquet });
  const annotations = new LocalAnnotationWrites({
    ...shared,
    importer,
    appender: appenders.OBJECTS,
    objects: new ObjectStore({ ...shared, appender: appenders.OBJECTS }),
    countPublished: () => countPublished('OBJECTS'),
  });
  const duplicates = new LocalDuplicateWrites({ ...shared, pairs: rows.duplicates, trimmed: rows.trimmed });
  const items = { ...shared, appender: appenders.IMAGES };
  const batches = { ...shared, annotations, duplicates, countPublished };
  const noteChange = () => {
    rows.texts.refresh();
    versions.noteAnnotations();
  };
  const enrichment = new LocalEnrichmentWrites({
    ...shared,
    results: rows.results,
    countRows,
    noteChange,
    saveBoxes: (results) => annotations.saveBoxes(results),
    openParquet,
  });
  const subjects = {
    edits: new LocalEditWrites(shared),
    vectors: new LocalVectorWrites(shared),
    duplicates,
    map: new LocalMapWrites(shared),
    snapshots: new LocalSnapshotWrites(shared),
    intake: new LocalIntakeWrites({
      db,
      rows,
      items: new ItemStore(items),
      discardBatch: (batchId, keepErrors) => discardBatch(batches, batchId, keepErrors),
    }),
    changes: new LocalChangeWrites(items),
    annotations,
    metadata: new LocalMetadataWrites({ db, rows, openParquet }),
    enrichment,
    results: new LocalResultWrites({
      ...shared,
      noteChange,
      openParquet,
      dropMeaning: () => enrichment.dropMeaning(),
      discardBoxes: (batchId) => annotations.discard(batchId),
    }),
    repairs: new LocalRepairWrites({ ...shared, lost: rows.lost, results: rows.results }),
  } satisfies WriteSubjects;
  const { metadata, results } = subjects;
  return {
    subjects,
    importer,
    metadata,
    results,
    thumbnails: shared.thumbnails,
    vectorEngine: shared.vectorEngine,
    db,
  };
}

/** Opens the files that several subjects write to. */
function openShared({ dataset_id, folder, dataFolder, engineConnection }: StoreLocation) {
  const db = openDatabase(join(folder, 'data.db'), datasetMigrations);
  const rows = openWriterRows(db, dataFolder);
  const meta = new MetaRepository(db);
  const thumbnails = openThumbnails(folder, meta, rows);
  const versions = new DataVersions(meta);
  const live = new LiveRows(db, versions);
  const index = new IndexReader(folder, meta, live);
  const engine = engineLocation(meta, folder, engineConnection);
  const vectorEngine = openVectorEngine(engine);
  const vectors = new VectorSpaces(meta, vectorEngine);
  const projections = new Projections({ folder, meta, index, vectors });
  rows.texts.refreshByPages();
  const countRows = (entityType: EntityType) => (entityType === 'IMAGES' ? rows.media.count() : rows.objects.rows());
  const appenderOf = (entityType: EntityType) =>
    new RowAppender({
      ...{ db, vectors, texts: rows.texts },
      entity_type: entityType,
      thumbnails: thumbnails[entityType],
      countRows: () => countRows(entityType),
      thumbnailEnd: () => thumbnailEnd(entityType, meta, rows),
    });
  const appenders = { IMAGES: appenderOf('IMAGES'), OBJECTS: appenderOf('OBJECTS') };
  const opened = { db, rows, meta, thumbnails, versions, live, index, engine, vectorEngine, vectors, projections };
  return { ...opened, countRows, appenders, folder, dataFolder, ids: itemIds(dataset_id) };
}

function openThumbnails(folder: string, meta: MetaRepository, rows: WriterRows): Record<EntityType, ThumbnailPacks> {
  const open = (entityType: EntityType) =>
    new ThumbnailPacks(
      join(folder, THUMBNAIL_FOLDERS[entityType]),
      thumbnailEnd(entityType, meta, rows),
      meta.get<number>(SHARED_PACKS[entityType]) ?? 0,
    );
  return { IMAGES: open('IMAGES'), OBJECTS: open('OBJECTS') };
}

/** Returns the position of the next thumbnail. */
function thumbnailEnd(entityType: EntityType, meta: MetaRepository, { media, objects }: WriterRows): PackPosition {
  const ofRows = entityType === 'IMAGES' ? media.thumbnailEnd() : objects.thumbnailEnd();
  return laterPosition(ofRows, meta.get<PackPosition>(REPAIRED_END[entityType]));
}
