import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { MetadataValue } from '../../../contract/schemas/custom-metadata.ts';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import { ISSUES_OF_OBJECTS, type IssueCounts } from '../../../contract/schemas/issues.ts';
import type { SeenFile } from '../../../core/ports/change-writer.ts';
import type { FileProblemKind, FrameFile } from '../../../core/ports/dataset-files.ts';
import type { DatasetReader, StoreCounts } from '../../../core/ports/dataset-reader.ts';
import type { BatchSummary, SourceSummary } from '../../../core/ports/dataset-sources.ts';
import type { CountedTag, EditRow, SelectedRows } from '../../../core/ports/edits.ts';
import type { ImageToEnrich, ModelFailureRow, PassName } from '../../../core/ports/enrichment-writer.ts';
import type {
  FacetCounts,
  FoundIssue,
  FoundIssues,
  FoundSample,
  ItemDetails,
  ItemList,
  ItemQuery,
} from '../../../core/ports/explored.ts';
import type { ChosenItems } from '../../../core/ports/exports.ts';
import type { DuplicateQuery, FoundDuplicates } from '../../../core/ports/found-duplicates.ts';
import type { IssueLimits } from '../../../core/ports/issues.ts';
import type { FoundMap, FoundMapItems, MapQuery, MapWindow } from '../../../core/ports/map.ts';
import type { FieldRow } from '../../../core/ports/metadata.ts';
import type { Condition, QueryPlan, SelectionPart } from '../../../core/ports/query.ts';
import type { EmbeddingSpace, VectorSpace } from '../../../core/ports/vector-space.ts';
import { openReadOnly } from '../../sqlite/open-database.ts';
import type { Answered } from '../../threads/answered.ts';
import { resolveLocation } from '../disk/locations.ts';
import { VectorSpaces } from '../disk/vector-spaces.ts';
import { ClusterIds } from '../read/cluster-ids.ts';
import { ClusterViews } from '../read/cluster-views.ts';
import { Columns } from '../read/columns.ts';
import { CustomValues } from '../read/custom-values.ts';
import { DataVersions } from '../read/data-versions.ts';
import { DuplicateGroups } from '../read/duplicate-groups.ts';
import { DuplicateLister } from '../read/duplicate-lister.ts';
import { EditedRows } from '../read/edited-rows.ts';
import { ExploreReader } from '../read/explore-reader.ts';
import { ExportedItems } from '../read/exported-items.ts';
import { IndexReader } from '../read/index-reader.ts';
import type { WantedIssues } from '../read/issues/wanted-issues.ts';
import { ItemDetailsReader } from '../read/item-details.ts';
import { LiveRows } from '../read/live-rows.ts';
import { LostVectors } from '../read/lost-vectors.ts';
import { MapColours } from '../read/map-colours.ts';
import { MapReader } from '../read/map-reader.ts';
import { MediaLocations } from '../read/media-locations.ts';
import { Projections } from '../read/projections.ts';
import { RowMatcher } from '../read/row-matcher.ts';
import { RowOrders } from '../read/row-orders.ts';
import { RowRanker } from '../read/row-ranker.ts';
import { RowSelector } from '../read/row-selector.ts';
import { StoreCounter } from '../read/store-counter.ts';
import { VectorIndexes } from '../read/vector-indexes.ts';
import { AnnotationRepository } from '../rows/annotation.repository.ts';
import { AnnotationProblemRepository } from '../rows/annotation-problem.repository.ts';
import { BatchRepository } from '../rows/batch.repository.ts';
import { CustomMetadataRepository } from '../rows/custom-metadata.repository.ts';
import { DuplicatePairRepository } from '../rows/duplicate-pair.repository.ts';
import { EditRepository } from '../rows/edit.repository.ts';
import { FileReportRepository } from '../rows/file-report.repository.ts';
import { FormerFramesRepository } from '../rows/former-frames.repository.ts';
import { LostPartRepository } from '../rows/lost-part.repository.ts';
import { MediaRepository } from '../rows/media.repository.ts';
import { MetaRepository } from '../rows/meta.repository.ts';
import { appliedKey, ModelResultRepository } from '../rows/model-result.repository.ts';
import { ObjectRepository } from '../rows/object.repository.ts';
import { PendingBoxRepository } from '../rows/pending-box.repository.ts';
import { RowSetRepository } from '../rows/row-set.repository.ts';
import { SourceRepository } from '../rows/source.repository.ts';
import { TagRepository } from '../rows/tag.repository.ts';
import { WatchedFilesRepository } from '../rows/watched-files.repository.ts';
import type { ReaderStart } from './store-location.ts';

type Page = { offset: number; limit: number };

/** Reads one generation of one dataset that a writer has opened before. */
export class LocalDatasetReader implements Answered<DatasetReader> {
  readonly #dataFolder: string;
  readonly #db: Database.Database;
  readonly #files: FileReportRepository;
  readonly #batches: BatchRepository;
  readonly #problems: AnnotationProblemRepository;
  readonly #boxes: PendingBoxRepository;
  readonly #media: MediaRepository;
  readonly #meta: MetaRepository;
  readonly #objects: ObjectRepository;
  readonly #models: ModelResultRepository;
  readonly #watched: WatchedFilesRepository;
  readonly #sources: SourceRepository;
  readonly #formerFrames: FormerFramesRepository;
  readonly #vectors: VectorSpaces;
  readonly #live: LiveRows;
  readonly #index: IndexReader;
  readonly #indexes: VectorIndexes;
  readonly #clusterIds: ClusterIds;
  readonly #explore: ExploreReader;
  readonly #locations: MediaLocations;
  readonly #matcher: RowMatcher;
  readonly #counter: StoreCounter;
  readonly #selector: RowSelector;
  readonly #items: ItemDetailsReader;
  readonly #edits: EditedRows;
  readonly #tags: TagRepository;
  readonly #edited: EditRepository;
  readonly #metadata: CustomMetadataRepository;
  readonly #duplicates: DuplicateLister;
  readonly #map: MapReader;
  /** What exports read, page by page. */
  readonly exported: ExportedItems;

  constructor({ folder, dataFolder, dataset_id, memories }: ReaderStart) {
    this.#dataFolder = dataFolder;
    this.#db = openReadOnly(join(folder, 'data.db'));
    this.#files = new FileReportRepository(this.#db);
    this.#batches = new BatchRepository(this.#db);
    this.#problems = new AnnotationProblemRepository(this.#db);
    this.#boxes = new PendingBoxRepository(this.#db);
    this.#media = new MediaRepository(this.#db);
    this.#meta = new MetaRepository(this.#db);
    this.#objects = new ObjectRepository(this.#db);
    this.#models = new ModelResultRepository(this.#db);
    this.#watched = new WatchedFilesRepository(this.#db, dataFolder);
    this.#sources = new SourceRepository(this.#db);
    this.#formerFrames = new FormerFramesRepository(this.#db);
    this.#vectors = new VectorSpaces(folder, this.#meta);
    const versions = new DataVersions(this.#meta);
    this.#live = new LiveRows(this.#db, versions);
    this.#index = new IndexReader(folder, this.#meta, this.#live);
    this.#clusterIds = new ClusterIds(dataset_id);
    const rows = { files: this.#files, media: this.#media, objects: this.#objects };
    this.#locations = new MediaLocations({ ...rows, folder, dataFolder });
    this.#edits = new EditedRows(new RowSetRepository(this.#db), versions);
    this.#tags = new TagRepository(this.#db);
    this.#edited = new EditRepository(this.#db);
    this.#metadata = new CustomMetadataRepository(this.#db);
    const parts = {
      ...rows,
      db: this.#db,
      models: this.#models,
      annotations: new AnnotationRepository(this.#db),
      vectors: this.#vectors,
      index: this.#index,
      clusterIds: this.#clusterIds,
      versions,
      edits: this.#edits,
      custom: new CustomValues(this.#metadata, versions),
      tags: this.#tags,
      lost: new LostVectors(new LostPartRepository(this.#db), versions),
    };
    this.#indexes = new VectorIndexes({ ...parts, memories });
    const pairs = new DuplicatePairRepository(this.#db);
    const duplicates = new DuplicateGroups(pairs, versions);
    const projections = new Projections({ ...parts, folder, meta: this.#meta });
    this.#matcher = new RowMatcher({
      ...parts,
      columns: new Columns({ ...parts, folder }),
      duplicates,
      projections,
    });
    this.#counter = new StoreCounter({ ...parts, matcher: this.#matcher });
    this.#items = new ItemDetailsReader(parts);
    const views = new ClusterViews(parts);
    this.#duplicates = new DuplicateLister({
      ...parts,
      matcher: this.#matcher,
      meta: this.#meta,
      duplicates,
      pairs,
      views,
    });
    const orders = new RowOrders(parts);
    this.#explore = new ExploreReader({
      ...parts,
      matcher: this.#matcher,
      ranker: new RowRanker({ ...parts, matcher: this.#matcher, indexes: this.#indexes }),
      views,
      orders,
    });
    this.#map = new MapReader({
      colours: new MapColours({ ...parts, orders }),
      explore: this.#explore,
      matcher: this.#matcher,
      views,
    });
    this.exported = new ExportedItems({ ...parts, metadata: this.#metadata, matcher: this.#matcher, dataFolder });
    this.#selector = new RowSelector({ db: this.#db, matcher: this.#matcher, explore: this.#explore });
  }

  close(): void {
    this.#indexes.close();
    this.#vectors.close();
    this.#db.close();
  }

  /** Everything that `work` reads is of one moment, whatever is committed meanwhile. */
  async atOneMoment(work: () => unknown): Promise<unknown> {
    this.#db.exec('BEGIN');
    this.#meta.hold();
    try {
      return await work();
    } finally {
      this.#meta.release();
      this.#db.exec('COMMIT');
    }
  }

  listBatches(): BatchSummary[] {
    return this.#batches.list();
  }

  counts(batchId?: string): StoreCounts {
    return this.#counter.counts(batchId);
  }

  listFileErrors(query: { kind: FileProblemKind | null; batch_id: string | null } & Page) {
    return this.#files.listErrors(query);
  }

  listAnnotationProblems(query: Page) {
    return this.#problems.list(query);
  }

  listLabels(plan: QueryPlan, limit: number): { name: string; count: number }[] {
    return this.#explore.listLabels(plan, limit);
  }

  explore(query: { plan: QueryPlan; level: number; page_number: number }) {
    return this.#explore.explore(query);
  }

  getCluster(query: { cluster_id: string; plan: Omit<QueryPlan, 'entity_type'> } & Page) {
    return this.#explore.getCluster(query);
  }

  findItem(mediaId: string): ItemDetails | undefined {
    return this.#items.find(mediaId);
  }

  listItems(query: ItemQuery): Promise<ItemList> {
    return this.#explore.listItems(query);
  }

  listArrivals({ offset, limit }: Page): ItemList {
    const total = this.#media.endRow();
    const rows = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, nth) => offset + nth);
    const unsaid = { labels: [], tags: [], caption: null, object: null, distance: null };
    return { total, items: this.#media.listByRows(rows).map((item) => ({ ...item, ...unsaid })) };
  }

  listDuplicates(query: DuplicateQuery): FoundDuplicates {
    return this.#duplicates.list(query);
  }

  readMap(query: MapQuery): Promise<FoundMap> {
    return this.#map.read(query);
  }

  listMapItems(query: { plan: QueryPlan; window: MapWindow; limit: number }): Promise<FoundMapItems> {
    return this.#map.listItems(query);
  }

  countFacets(plan: QueryPlan, limits: IssueLimits): Promise<FacetCounts> {
    return this.#explore.countFacets(plan, limits);
  }

  countIssues(plan: QueryPlan, limits: IssueLimits): Promise<IssueCounts> {
    return this.#explore.countIssues(plan, limits);
  }

  countFound(plan: QueryPlan): Promise<FoundSample> {
    return this.#explore.count(plan);
  }

  /** Makes what calls read of issues, piece by piece. */
  *makeIssues(wanted: readonly WantedIssues[]): Generator<void> {
    for (const { entity_type, issues, limits } of wanted) {
      yield* this.#matcher.issues.make(issues, limits, () => this.#matcher.facts(entity_type));
    }
  }

  issuesOf(mediaId: string, limits: IssueLimits): FoundIssues {
    const row = this.#media.find(mediaId)?.row;
    const facts = this.#matcher.facts('IMAGES');
    if (row === undefined || row >= facts.count) return { item: [], objects: new Map() };
    const objects = new Map<string, FoundIssue[]>();
    const ofObjects = this.#matcher.facts('OBJECTS');
    for (const { row: objectRow, object } of this.#objects.listOfMedia(mediaId, ofObjects.count)) {
      if (objectRow >= ofObjects.count) continue;
      const own = ofObjects.issues.ofRow(objectRow, limits, ofObjects, ISSUES_OF_OBJECTS);
      if (own.length > 0) objects.set(object.object_id, own);
    }
    return { item: facts.issues.ofRow(row, limits, facts), objects };
  }

  select(parts: readonly SelectionPart[], conditions: readonly Condition[]): Promise<SelectedRows> {
    return this.#selector.select(parts, conditions);
  }

  choosePage(
    part: { plan: QueryPlan; cluster_id: string | undefined },
    page: { offset: number; limit: number | undefined },
  ): Promise<ChosenItems> {
    return this.#selector.choosePage(part, page);
  }

  chooseItems(parts: readonly SelectionPart[]): Promise<ChosenItems> {
    return this.#selector.chooseItems(parts);
  }

  listTags(): CountedTag[] {
    const counted = (entityType: EntityType, tagId: string) => {
      const { count } = this.#matcher.facts(entityType);
      return this.#edits.tagged(entityType, tagId, count).countIn(this.#matcher.match(entityType, []));
    };
    return this.#tags.list().map((tag) => ({
      ...tag,
      n_images: counted('IMAGES', tag.tag_id),
      n_objects: counted('OBJECTS', tag.tag_id),
    }));
  }

  listEdits(): EditRow[] {
    return this.#edited.list();
  }

  listFields(): FieldRow[] {
    return this.#metadata.list();
  }

  findField(fieldId: string): FieldRow | undefined {
    return this.#metadata.find(fieldId);
  }

  listMetadata(mediaIds: readonly string[]): Map<string, MetadataValue[]> {
    return this.#metadata.listOf(mediaIds);
  }

  locateOriginal(mediaId: string) {
    return this.#locations.original(mediaId);
  }

  locateThumbnail(mediaId: string) {
    return this.#locations.thumbnail(mediaId);
  }

  listSources(): SourceSummary[] {
    return this.#sources.list();
  }

  sampleLocations(sourceId: string, limit: number): string[] {
    return this.#sources.sample(sourceId, limit);
  }

  listKnownFiles(sourceId: string, after: string, limit: number): SeenFile[] {
    return this.#watched.listKnown(sourceId, after, limit);
  }

  listUsedFrames(frames: FrameFile[]): FrameFile[] {
    return this.#formerFrames.listUsed(frames);
  }

  countClusters(entityType: EntityType) {
    return this.#index.levels(entityType).map(({ nItems, nClusters, nSingles }) => ({
      n_items: nItems,
      n_clusters: nClusters,
      n_singles: nSingles,
    }));
  }

  indexedRows(): Record<EntityType, number> {
    return { IMAGES: this.#index.count('IMAGES'), OBJECTS: this.#index.count('OBJECTS') };
  }

  countUnindexed(entityType: EntityType): number {
    const clusters = this.#index.clusters(entityType, 0);
    const alive = this.#live.read(entityType, this.#countRows(entityType));
    return alive.toRows().filter((row) => (clusters?.clusterOf(row) ?? -1) < 0).length;
  }

  countUnfinished(): number {
    return this.countUnindexed('IMAGES') + this.countUnindexed('OBJECTS') + this.#boxes.countOfWatches();
  }

  vectorSpace(space: EmbeddingSpace, entityType: EntityType): VectorSpace | undefined {
    return this.#vectors.find(space, entityType);
  }

  sampleVectors(space: EmbeddingSpace, entityType: EntityType, limit: number): Float32Array {
    const vectors = this.#vectors.of(space, entityType);
    const rows = this.#models.sampleRows(entityType, limit);
    const sample = new Float32Array(rows.length * vectors.dim);
    for (const [at, row] of rows.entries()) sample.set(vectors.readRows(row, 1), at * vectors.dim);
    return sample;
  }

  sampleImages(limit: number): ImageToEnrich[] {
    return this.#models.sampleImages(limit).map((row) => ({
      row: row.row,
      media_id: row.media_id,
      path: resolveLocation(this.#dataFolder, row, row.location),
    }));
  }

  modelProgress(pass: PassName, entityType: EntityType): { n_done: number; n_rows: number } {
    const nRows = this.#countRows(entityType);
    const nApplied = this.#meta.get<number>(appliedKey(pass, entityType)) ?? 0;
    return { n_done: Math.min(nRows, nApplied), n_rows: nRows };
  }

  countModelFailures(): number {
    return this.#models.countFailures();
  }

  listModelFailures(query: Page): ModelFailureRow[] {
    return this.#models.listFailures(query);
  }

  /** Living or not. */
  #countRows(entityType: EntityType): number {
    return entityType === 'IMAGES' ? this.#media.count() : this.#objects.rows();
  }
}
