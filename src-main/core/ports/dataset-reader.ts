import type { EntityType } from '../../contract/schemas/explore.ts';
import type { IssueCounts } from '../../contract/schemas/issues.ts';
import type { ByteRange } from './byte-range.ts';
import type { SeenFile } from './change-writer.ts';
import type { FileErrorRow, FileProblemKind, FrameFile } from './dataset-files.ts';
import type { BatchSummary, SourceSummary } from './dataset-sources.ts';
import type { CountedTag, EditRow, SelectedRows } from './edits.ts';
import type { ImageToEnrich, ModelFailureRow, PassName } from './enrichment-writer.ts';
import type {
  ClusterItems,
  ClusterList,
  FacetCounts,
  FoundIssues,
  FoundSample,
  ItemDetails,
  ItemList,
  ItemQuery,
} from './explored.ts';
import type { ChosenItems } from './exports.ts';
import type { DuplicateQuery, FoundDuplicates } from './found-duplicates.ts';
import type { IssueLimits } from './issues.ts';
import type { FoundMap, FoundMapItems, MapQuery, MapWindow } from './map.ts';
import type { MetadataReader } from './metadata.ts';
import type { Condition, QueryPlan, SelectionPart } from './query.ts';
import type { EmbeddingSpace, VectorSpace } from './vector-space.ts';

export interface StoreCounts {
  n_files: number;
  n_pending: number;
  n_images: number;
  n_videos: number;
  n_objects: number;
  n_frames: number;
  n_file_errors: number;
  /** Items that people left out; they are in no other count but those of files. */
  n_excluded: number;
  /** Files of watched folders that are not there now; they are in no other count. */
  n_missing: number;
  /** Files beside the media that say something of them; they are in no other count. */
  n_annotation_files: number;
  n_labels: number;
  n_captions: number;
  n_annotation_problems: number;
}

/** Something in an annotation file that is of no use, and why. */
export interface AnnotationProblemRow {
  /** Relative path of the annotation file. */
  source_path: string;
  /** Line, row or place in a list, from 1; null for the file as a whole. */
  line: number | null;
  reason: string;
  batch_id: string;
}

/**
 * Answers what a dataset holds, beside whatever is being written: a call sees all that was committed before it was made. Reads wait for no
 * write.
 */
export interface DatasetReader extends MetadataReader {
  listBatches(): Promise<BatchSummary[]>;
  /** In order of file and line. */
  listAnnotationProblems(query: { offset: number; limit: number }): Promise<{
    annotation_problems: AnnotationProblemRow[];
    total: number;
  }>;
  /** The most frequent labels of what the conditions of a plan find. */
  listLabels(plan: QueryPlan, limit: number): Promise<{ name: string; count: number }[]>;
  /** Of the whole dataset, or of one batch. */
  counts(batchId?: string): Promise<StoreCounts>;
  /** Of the whole dataset, or of one batch; `by_kind` counts every kind there. */
  listFileErrors(query: {
    kind: FileProblemKind | null;
    batch_id: string | null;
    offset: number;
    limit: number;
  }): Promise<{
    file_errors: FileErrorRow[];
    total: number;
    by_kind: Record<string, number>;
  }>;
  /**
   * A page of what a plan finds, by clusters at a level: nearest first where something is compared, else clusters of many first. Videos
   * stand in the clusters of the frames that represent them; compared ones, in that of their nearest frame.
   * @throws AppError `not_found` for an item to compare with that is unknown; `invalid_request` for what cannot be compared.
   */
  explore(query: { plan: QueryPlan; level: number; page_number: number }): Promise<ClusterList>;
  /** Those items of a cluster that a plan finds. Undefined when no such cluster exists (any more). */
  getCluster(query: {
    cluster_id: string;
    plan: Omit<QueryPlan, 'entity_type'>;
    offset: number;
    limit: number;
  }): Promise<ClusterItems | undefined>;
  /**
   * A page of what a plan finds, one by one. Without a sort, the nearest first where something is compared, else by similarity.
   * @throws AppError as {@link explore}; `invalid_request` for a score of a plan that compares nothing.
   */
  listItems(query: ItemQuery): Promise<ItemList>;
  /** What was read so far, in the order in which it came, indexed or not; what is said of items is left out. */
  listArrivals(page: { offset: number; limit: number }): Promise<ItemList>;
  /** A page of groups of items that show the same, the largest first. */
  listDuplicates(query: DuplicateQuery): Promise<FoundDuplicates>;
  /** Where items are on the map; what does not fit too. */
  readMap(query: MapQuery): Promise<FoundMap>;
  /** Items that a plan finds in a window of the map, the nearest to its middle first. */
  listMapItems(query: { plan: QueryPlan; window: MapWindow; limit: number }): Promise<FoundMapItems>;
  /** How many of what a plan finds have which value. */
  countFacets(plan: QueryPlan, limits: IssueLimits): Promise<FacetCounts>;
  /** How many of what a plan finds have which issue. */
  countIssues(plan: QueryPlan, limits: IssueLimits): Promise<IssueCounts>;
  /** How much of each kind a plan finds; videos by the frame that stands for each. @throws AppError as {@link explore}. */
  countFound(plan: QueryPlan): Promise<FoundSample>;
  /** None of an item that is unknown or not indexed. */
  issuesOf(mediaId: string, limits: IssueLimits): Promise<FoundIssues>;
  /**
   * The rows of a selection that meet some conditions. A video stands for all of its frames.
   * @throws AppError `not_found` for an id or cluster that is unknown; `conflict` for an item that is not indexed yet.
   */
  select(parts: readonly SelectionPart[], conditions: readonly Condition[]): Promise<SelectedRows>;
  /** Items to export: a page of what a plan finds, in a cluster or in all. @throws AppError `not_found` for a cluster that is unknown. */
  choosePage(
    part: { plan: QueryPlan; cluster_id: string | undefined },
    page: { offset: number; limit: number | undefined },
  ): Promise<ChosenItems>;
  /** Items to export: those of a selection. @throws AppError as {@link select}. */
  chooseItems(parts: readonly SelectionPart[]): Promise<ChosenItems>;
  /** By name. */
  listTags(): Promise<CountedTag[]>;
  /** The last first. */
  listEdits(): Promise<EditRow[]>;
  findItem(mediaId: string): Promise<ItemDetails | undefined>;
  /** Undefined when the item is unknown. */
  locateOriginal(mediaId: string): Promise<ByteRange | undefined>;
  locateThumbnail(mediaId: string): Promise<ByteRange | undefined>;
  listSources(): Promise<SourceSummary[]>;
  /** Some files of a source that are recorded as being there, spread over all of them. */
  sampleLocations(sourceId: string, limit: number): Promise<string[]>;
  /** What the published index groups at each level, finest first; none before the first. */
  countClusters(entityType: EntityType): Promise<{ n_items: number; n_clusters: number; n_singles: number }[]>;
  /** Rows that the published index covers, living or not: later ones come behind them. */
  indexedRows(): Promise<Record<EntityType, number>>;
  /** Living items, or objects, that the published index does not have. */
  countUnindexed(entityType: EntityType): Promise<number>;
  /** Files of a folder source that are recorded as being there, unusable ones too, in order of path after a path. */
  listKnownFiles(sourceId: string, after: string, limit: number): Promise<SeenFile[]>;
  /** What a batch that failed has left to do: items and objects that are not indexed, and boxes that wait. */
  countUnfinished(): Promise<number>;
  /** Which of these the dataset shows, or shows again when their video is back. */
  listUsedFrames(frames: FrameFile[]): Promise<FrameFile[]>;
  /** Undefined where the dataset has no such space, or nothing was described yet. */
  vectorSpace(space: EmbeddingSpace, entityType: EntityType): Promise<VectorSpace | undefined>;
  /** How far models have been applied. */
  modelProgress(pass: PassName, entityType: EntityType): Promise<{ n_done: number; n_rows: number }>;
  /** Vectors of living items or objects, also of a space that is being added, spread over all of them, row after row. */
  sampleVectors(space: EmbeddingSpace, entityType: EntityType, limit: number): Promise<Float32Array>;
  /** Living items spread over all of them. */
  sampleImages(limit: number): Promise<ImageToEnrich[]>;
  countModelFailures(): Promise<number>;
  listModelFailures(query: { offset: number; limit: number }): Promise<ModelFailureRow[]>;
}
