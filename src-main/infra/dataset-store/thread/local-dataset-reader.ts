import type { ExifProperty, MetadataValue } from '../../../contract/schemas/custom-metadata.ts';
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
import type { Answered } from '../../threads/answered.ts';
import { resolveLocation } from '../disk/locations.ts';
import type { ExportedItems } from '../read/exported-items.ts';
import type { WantedIssues } from '../read/issues/wanted-issues.ts';
import { appliedKey } from '../rows/model-result.repository.ts';
import { openReaders, type Readers } from './open-readers.ts';
import type { ReaderStart } from './store-location.ts';

type Page = { offset: number; limit: number };

/** Reads one generation of one dataset that a writer has opened before. */
export class LocalDatasetReader implements Answered<DatasetReader> {
  readonly #dataFolder: string;
  readonly #readers: Readers;
  /** What exports read, page by page. */
  readonly exported: ExportedItems;

  constructor(start: ReaderStart) {
    this.#dataFolder = start.dataFolder;
    this.#readers = openReaders(start);
    this.exported = this.#readers.exported;
  }

  close(): void {
    this.#readers.indexes.close();
    this.#readers.vectors.close();
    this.#readers.db.close();
  }

  /** Everything that `work` reads is of one moment, whatever is committed meanwhile. */
  async atOneMoment(work: () => unknown): Promise<unknown> {
    this.#readers.db.exec('BEGIN');
    this.#readers.meta.hold();
    try {
      return await work();
    } finally {
      this.#readers.meta.release();
      this.#readers.db.exec('COMMIT');
    }
  }

  listBatches(): BatchSummary[] {
    return this.#readers.batches.list();
  }

  counts(batchId?: string): StoreCounts {
    return this.#readers.counter.counts(batchId);
  }

  listFileErrors(query: { kind: FileProblemKind | null; batch_id: string | null } & Page) {
    return this.#readers.files.listErrors(query);
  }

  listAnnotationProblems(query: Page) {
    return this.#readers.problems.list(query);
  }

  listLabels(plan: QueryPlan, limit: number): { name: string; count: number }[] {
    return this.#readers.explore.listLabels(plan, limit);
  }

  explore(query: { plan: QueryPlan; level: number; page_number: number }) {
    return this.#readers.explore.explore(query);
  }

  getCluster(query: { cluster_id: string; plan: Omit<QueryPlan, 'entity_type'> } & Page) {
    return this.#readers.explore.getCluster(query);
  }

  findItem(mediaId: string): ItemDetails | undefined {
    return this.#readers.items.find(mediaId);
  }

  listItems(query: ItemQuery): Promise<ItemList> {
    return this.#readers.explore.listItems(query);
  }

  listArrivals({ offset, limit }: Page): ItemList {
    const total = this.#readers.media.endRow();
    const rows = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, nth) => offset + nth);
    const unsaid = { labels: [], tags: [], caption: null, object: null, distance: null };
    return { total, items: this.#readers.media.listByRows(rows).map((item) => ({ ...item, ...unsaid })) };
  }

  listDuplicates(query: DuplicateQuery): FoundDuplicates {
    return this.#readers.duplicateLister.list(query);
  }

  readMap(query: MapQuery): Promise<FoundMap> {
    return this.#readers.map.read(query);
  }

  listMapItems(query: { plan: QueryPlan; window: MapWindow; limit: number }): Promise<FoundMapItems> {
    return this.#readers.map.listItems(query);
  }

  countFacets(plan: QueryPlan, limits: IssueLimits): Promise<FacetCounts> {
    return this.#readers.explore.countFacets(plan, limits);
  }

  countIssues(plan: QueryPlan, limits: IssueLimits): Promise<IssueCounts> {
    return this.#readers.explore.countIssues(plan, limits);
  }

  countFound(plan: QueryPlan): Promise<FoundSample> {
    return this.#readers.explore.count(plan);
  }

  /** Reads what a plan needs that takes long, piece by piece: what is not there is read at once when it is asked for. */
  bringIn(plan: QueryPlan): Generator<void> {
    return this.#readers.explore.bringIn(plan);
  }

  /** See {@link ExploreReader.bringInLater}. */
  bringInLater(plan: QueryPlan): Generator<void> {
    return this.#readers.explore.bringInLater(plan);
  }

  /** Makes what calls read of issues, piece by piece. */
  *makeIssues(wanted: readonly WantedIssues[]): Generator<void> {
    for (const { entity_type, issues, limits } of wanted) {
      yield* this.#readers.matcher.issues.make(issues, limits, () => this.#readers.matcher.facts(entity_type));
    }
  }

  issuesOf(mediaId: string, limits: IssueLimits): FoundIssues {
    const row = this.#readers.media.find(mediaId)?.row;
    const facts = this.#readers.matcher.facts('IMAGES');
    if (row === undefined || row >= facts.count) return { item: [], objects: new Map() };
    const objects = new Map<string, FoundIssue[]>();
    const ofObjects = this.#readers.matcher.facts('OBJECTS');
    const boxes = this.#readers.objects.listOfMedia(mediaId, ofObjects.count);
    if (boxes.length > 0) {
      const issuesOfObject = ofObjects.issues.ofRows(limits, ofObjects, ISSUES_OF_OBJECTS);
      for (const { row: objectRow, object } of boxes) {
        const own = objectRow < ofObjects.count ? issuesOfObject(objectRow) : [];
        if (own.length > 0) objects.set(object.object_id, own);
      }
    }
    return { item: facts.issues.ofRows(limits, facts)(row), objects };
  }

  select(parts: readonly SelectionPart[], conditions: readonly Condition[]): Promise<SelectedRows> {
    return this.#readers.selector.select(parts, conditions);
  }

  choosePage(
    part: { plan: QueryPlan; cluster_id: string | undefined },
    page: { offset: number; limit: number | undefined },
  ): Promise<ChosenItems> {
    return this.#readers.selector.choosePage(part, page);
  }

  chooseItems(parts: readonly SelectionPart[]): Promise<ChosenItems> {
    return this.#readers.selector.chooseItems(parts);
  }

  listTags(): CountedTag[] {
    const counted = (entityType: EntityType, tagId: string) => {
      const { count } = this.#readers.matcher.facts(entityType);
      return this.#readers.edits.tagged(entityType, tagId, count).countIn(this.#readers.matcher.match(entityType, []));
    };
    return this.#readers.tags.list().map((tag) => ({
      ...tag,
      n_images: counted('IMAGES', tag.tag_id),
      n_objects: counted('OBJECTS', tag.tag_id),
    }));
  }

  listEdits(): EditRow[] {
    return this.#readers.edited.list();
  }

  listFields(): FieldRow[] {
    return this.#readers.metadata.list();
  }

  findField(fieldId: string): FieldRow | undefined {
    return this.#readers.metadata.find(fieldId);
  }

  listExifProperties(): ExifProperty[] {
    return this.#readers.metadata.listExifProperties();
  }

  listMetadata(mediaIds: readonly string[]): Map<string, MetadataValue[]> {
    return this.#readers.metadata.listOf(mediaIds);
  }

  locateOriginal(mediaId: string) {
    return this.#readers.locations.original(mediaId);
  }

  locateThumbnail(mediaId: string) {
    return this.#readers.locations.thumbnail(mediaId);
  }

  listSources(): SourceSummary[] {
    return this.#readers.sources.list();
  }

  sampleLocations(sourceId: string, limit: number): string[] {
    return this.#readers.sources.sample(sourceId, limit);
  }

  listKnownFiles(sourceId: string, after: string, limit: number): SeenFile[] {
    return this.#readers.watched.listKnown(sourceId, after, limit);
  }

  listUsedFrames(frames: FrameFile[]): FrameFile[] {
    return this.#readers.orphanedFrames.listUsed(frames);
  }

  countClusters(entityType: EntityType) {
    return this.#readers.index.levelSizes(entityType).map(({ nItems, nClusters, nSingles }) => ({
      n_items: nItems,
      n_clusters: nClusters,
      n_singles: nSingles,
    }));
  }

  indexedRows(): Record<EntityType, number> {
    return { IMAGES: this.#readers.index.count('IMAGES'), OBJECTS: this.#readers.index.count('OBJECTS') };
  }

  countUnindexed(entityType: EntityType): number {
    const clusters = this.#readers.index.clusters(entityType, 0);
    const alive = this.#readers.live.read(entityType, this.#countRows(entityType));
    return alive.toRows().filter((row) => (clusters?.clusterOf(row) ?? -1) < 0).length;
  }

  countUnfinished(): number {
    return this.countUnindexed('IMAGES') + this.countUnindexed('OBJECTS') + this.#readers.boxes.countOfWatches();
  }

  vectorSpace(space: EmbeddingSpace, entityType: EntityType): VectorSpace | undefined {
    return this.#readers.vectors.find(space, entityType);
  }

  sampleVectors(space: EmbeddingSpace, entityType: EntityType, limit: number): Float32Array {
    const vectors = this.#readers.vectors.of(space, entityType);
    const rows = this.#readers.models.sampleRows(entityType, limit);
    const sample = new Float32Array(rows.length * vectors.dim);
    for (const [at, row] of rows.entries()) sample.set(vectors.readRows(row, 1), at * vectors.dim);
    return sample;
  }

  sampleImages(limit: number): ImageToEnrich[] {
    return this.#readers.models.sampleImages(limit).map((row) => ({
      row: row.row,
      media_id: row.media_id,
      path: resolveLocation(this.#dataFolder, row, row.location),
    }));
  }

  modelProgress(pass: PassName, entityType: EntityType): { n_done: number; n_rows: number } {
    const nRows = this.#countRows(entityType);
    const nApplied = this.#readers.meta.get<number>(appliedKey(pass, entityType)) ?? 0;
    return { n_done: Math.min(nRows, nApplied), n_rows: nRows };
  }

  countModelFailures(): number {
    return this.#readers.models.countFailures();
  }

  listModelFailures(query: Page): ModelFailureRow[] {
    return this.#readers.models.listFailures(query);
  }

  /** Living or not. */
  #countRows(entityType: EntityType): number {
    return entityType === 'IMAGES' ? this.#readers.media.count() : this.#readers.objects.rows();
  }
}
