import type { EntityType } from '../../contract/schemas/explore.ts';
import type { CropRequest, ImageResult } from './compute.ts';
import type { CopyChanges, EnrichmentStore } from './enrichment-store.ts';
import type { ClusterItems, ClusterList, ItemDetails, ItemSearch } from './explored.ts';
import type { FailedImage } from './picture.ts';
import type { EmbeddingSpace, SpaceVectors, VectorSpace } from './vector-space.ts';

/**
 * One dataset's own store: a folder of numbered generations with rows, vectors, thumbnails and clusters, served by a thread of its own.
 * All calls are asynchronous and take plain data.
 */

/** Where files of a dataset come from: a folder referenced in place, or originals kept below the data folder. */
export interface SourceRow {
  source_id: string;
  kind: 'folder' | 'stored';
  /** Absolute for `folder`; relative to the data folder for `stored`. */
  root: string;
}

export type BatchKind = 'folder' | 'upload' | 'archive' | 'objects' | 'manifest' | 'watch';

export interface BatchRow {
  batch_id: string;
  /** Where its files are unless a file says otherwise. */
  source_id: string;
  kind: BatchKind;
}

/** A batch as it is shown: files by what became of them. */
export interface BatchSummary extends BatchRow {
  created_at: string;
  n_files: number;
  n_done: number;
  n_failed: number;
}

export interface NewFile {
  /** What people see: relative to the dataset's root, `/` between folders. */
  file_path: string;
  /** Where the bytes are, relative to the source's root. */
  location: string;
  size_bytes: number;
  mtime_ms: number;
  /** `annotation`: a file beside the media that says something of them. */
  kind: 'image' | 'video' | 'annotation';
  /** Another source than the batch's. */
  source_id?: string;
  /** Where the bytes must be fetched from first (`s3://…`, `http(s)://…`); `location` is empty until then. */
  origin?: string;
  /** Set on frames: the video they are of. */
  frame?: { video_id: string; frame_number: number; frame_timestamp: number };
  /** Set when the file is known to be unusable before anything reads it. */
  problem?: { kind: FileProblemKind; reason: string };
}

/** A file whose bytes are elsewhere. */
export interface RemoteFile {
  file_id: number;
  file_path: string;
  origin: string;
  size_bytes: number;
}

export type FetchResult =
  | { file_id: number; ok: true; location: string; size_bytes: number; mtime_ms: number }
  | { file_id: number; ok: false; kind: FileProblemKind; reason: string };

/** A video that was read, and where its frames are. */
export interface NewVideo {
  video_id: string;
  file_id: number;
  width: number;
  height: number;
  duration_s: number | null;
  frames_per_second: number | null;
  codec: string;
  /** Seconds; the moment that stands for the video. */
  poster_timestamp: number;
}

/** The picture of a video's frame, below the folder of a batch. */
export interface FrameFile {
  batch_id: string;
  location: string;
}

export type FileProblemKind = FailedImage['kind'] | 'unsafe';

export interface PendingFile {
  file_id: number;
  file_path: string;
  /** Absolute path to read. */
  path: string;
}

export interface FileErrorRow {
  file_path: string;
  kind: FileProblemKind;
  reason: string;
  size_bytes: number;
  batch_id: string;
}

/** Place after which a list goes on; null for its beginning. */
export type FileCursor = { file_path: string; file_id: number } | null;

export interface StoreCounts {
  n_files: number;
  n_pending: number;
  n_images: number;
  n_videos: number;
  n_objects: number;
  n_frames: number;
  n_file_errors: number;
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

/** A picture with boxes that wait for their thumbnails and vectors. */
export interface PictureOfBoxes {
  /** Absolute path to read. */
  path: string;
  /** Of the upright picture that the boxes are on. */
  width: number;
  height: number;
  /** Keyed by {@link BoxResult.key}. */
  crops: CropRequest[];
}

/** Place after which the list of boxes goes on; null for its beginning. */
export type BoxCursor = { media_row: number; found_id: number } | null;

export type BoxResult =
  | {
      key: number;
      ok: true;
      thumbnail: Uint8Array;
      vectors: SpaceVectors;
      caption?: string | null;
      caption_source?: string | null;
    }
  | { key: number; ok: false; reason: string };

/** Bytes of a file on disk. */
export interface ByteRange {
  path: string;
  offset: number;
  /** Null: to the end of the file. */
  length: number | null;
  content_hash: string;
  format: string;
  file_name: string;
}

/** Files that an index job reads and writes, and what it must cover. */
export interface IndexFiles {
  vectors_folder: string;
  dim: number;
  count: number;
  dead_rows: number[];
  graph_file: string;
  clusters_file: string;
  uniqueness_file: string;
  /** The index that reads use now; undefined before the first. */
  published: { graph_file: string; clusters_file: string; count: number; cuts: number[] | undefined } | undefined;
}

/** An index that a job has finished. */
export interface IndexEntry {
  space: EmbeddingSpace;
  entity_type: EntityType;
  files: IndexFiles;
  cuts: readonly number[];
}

/** A file of a watched folder, as it was seen. */
export interface SeenFile {
  file_path: string;
  size_bytes: number;
  mtime_ms: number;
}

/** Place after which a list of changes goes on, and where the bytes are. */
export interface ChangedFile {
  change_id: number;
  /** Absolute path to read. */
  path: string;
}

/** What a file holds, found without decoding it. */
export interface FileContent {
  change_id: number;
  content_hash: string;
  size_bytes: number;
  mtime_ms: number;
}

export interface SourceSummary extends SourceRow {
  n_files: number;
}

/** The part of a store that takes in what watched folders tell of. */
export interface ChangeStore {
  /** Files of a folder source that are recorded as being there, unusable ones too, in order of path after a path. */
  listKnownFiles(sourceId: string, after: string, limit: number): Promise<SeenFile[]>;
  /** Forgets changes that no batch will take in any more. */
  clearChanges(): Promise<void>;
  /** Notes changes for a batch, leaving out those that are known already; returns how many are noted. */
  addChanges(
    batchId: string,
    sourceId: string,
    changes: { added_or_changed: readonly SeenFile[]; removed: readonly string[] },
  ): Promise<number>;
  /** Moves videos; new and changed ones become files of the batch, still to be read. */
  takeVideoChanges(batchId: string): Promise<void>;
  /** Changed pictures of a size that some item has: their content may be known. In order of `change_id`. */
  listSameSize(batchId: string, after: number, limit: number): Promise<ChangedFile[]>;
  /** Takes in the changes whose content an item has that is here no more or at the same path: moved, back, or only touched. */
  takeKnownContent(batchId: string, files: FileContent[]): Promise<void>;
  /** Changed pictures still to be read, keyed by change, in order of path. */
  listChanged(batchId: string, after: FileCursor, limit: number): Promise<PendingFile[]>;
  /** As {@link DatasetStore.saveResults}, keyed by change. A changed picture keeps its media id and gets a new row. */
  saveChanged(batchId: string, results: ImageResult[]): Promise<void>;
  countChanges(batchId: string): Promise<number>;
  /**
   * Call when the media of the batch are in. New and changed annotation files become files of the batch with all others of its folder,
   * to be read by {@link DatasetStore.beginAnnotations}; so do they when they name media that came with the batch. What a removed
   * annotation file said stays.
   */
  takeAnnotationChanges(batchId: string): Promise<void>;
  /** Marks what was removed and has not turned up elsewhere as missing. */
  finishChanges(batchId: string): Promise<void>;
  /** Pictures of frames of former content of videos, until {@link forgetFormerFrames}. */
  listFormerFrames(): Promise<FrameFile[]>;
  /** Which of these the dataset shows, or shows again when their video is back. */
  listUsedFrames(frames: FrameFile[]): Promise<FrameFile[]>;
  forgetFormerFrames(frames: FrameFile[]): Promise<void>;
  /** Living items, or objects, that the published index does not have. */
  countUnindexed(entityType: EntityType): Promise<number>;
  /** What a batch that failed has left to do: items and objects that are not indexed, and boxes that wait. */
  countUnfinished(): Promise<number>;
  listSources(): Promise<SourceSummary[]>;
  /** Some files of a source that are recorded as being there, spread over all of them. */
  sampleLocations(sourceId: string, limit: number): Promise<string[]>;
  moveSource(sourceId: string, root: string): Promise<void>;
}

export interface DatasetStore extends ChangeStore, EnrichmentStore {
  addSource(source: SourceRow): Promise<void>;
  /** The source of a folder: the one that has this root, else a new one. */
  ensureFolderSource(root: string): Promise<string>;
  addBatch(batch: BatchRow): Promise<void>;
  listBatches(): Promise<BatchSummary[]>;
  /** Removes a batch whose items were never published, with all that was saved of it; `keep_errors` leaves its files that failed. */
  discardBatch(batchId: string, keepErrors: boolean): Promise<void>;
  /**
   * Adds files that are not known yet by path; known ones are left as they are, but for those that failed: they go over to the batch and
   * are read again. Returns how many were new.
   */
  addFiles(batchId: string, files: NewFile[]): Promise<number>;
  /** Adds uploaded files: a taken path gets a number unless the content is the same. */
  addUploads(batchId: string, files: NewFile[]): Promise<number>;
  /** Chooses what makes the vectors of a space, before the first result; what is chosen stays. */
  openVectorSpace(space: EmbeddingSpace, made: VectorSpace): Promise<void>;
  /** Which of these paths the batch has already. */
  knownPaths(batchId: string, filePaths: string[]): Promise<string[]>;
  /** Files of a batch still to be fetched, in order of path. */
  listRemote(batchId: string, after: FileCursor, limit: number): Promise<RemoteFile[]>;
  saveFetched(results: FetchResult[]): Promise<void>;
  /** Files of a batch still to be read, in order of path. */
  listPending(batchId: string, kind: 'image' | 'video', after: FileCursor, limit: number): Promise<PendingFile[]>;
  /**
   * Marks a video as read and adds its frames as files still to be read, in one transaction. A video that was read before keeps its id,
   * and so do its frames by number; frames that it has no more are missing.
   */
  saveVideo(video: NewVideo, frames: NewFile[]): Promise<void>;
  /** A video that cannot be read any more loses its frames until it can. */
  failFile(fileId: number, kind: FileProblemKind, reason: string): Promise<void>;
  /**
   * Writes vectors and thumbnails, then the rows, in one transaction. Safe to repeat: results of files no longer pending are ignored.
   * A file that is an item already keeps its id, and its row unless its content is new.
   */
  saveResults(results: ImageResult[]): Promise<void>;
  /**
   * Makes ready to read the annotation files of a batch; what an earlier run read of them is forgotten.
   * @returns How many sets of annotations there are to read; 0 when all are read.
   */
  beginAnnotations(batchId: string): Promise<number>;
  /** Reads and saves the next page of what {@link beginAnnotations} found. */
  readAnnotations(batchId: string): Promise<{ n_rows: number; finished: boolean }>;
  /** Boxes of a batch that wait to be described, picture by picture. */
  listBoxes(
    batchId: string,
    after: BoxCursor,
    limit: number,
  ): Promise<{ pictures: PictureOfBoxes[]; after: BoxCursor }>;
  countBoxes(batchId: string): Promise<number>;
  /** Turns boxes into objects as {@link saveResults} does files into items; those that failed become annotation problems. */
  saveBoxes(results: BoxResult[]): Promise<void>;
  /** In order of file and line. */
  listAnnotationProblems(query: { offset: number; limit: number }): Promise<{
    annotation_problems: AnnotationProblemRow[];
    total: number;
  }>;
  /** The most frequent labels of items, or of objects. */
  listLabels(entityType: EntityType, limit: number): Promise<{ name: string; count: number }[]>;
  /** Makes failed files of a batch pending again (a retry reads them once more). */
  retryFailed(batchId: string): Promise<number>;
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
  /** Where the next index job works. */
  prepareIndex(space: EmbeddingSpace, entityType: EntityType): Promise<IndexFiles>;
  /** Switches reads to the finished indexes in one transaction and makes all saved rows visible. */
  publishIndex(entries: IndexEntry[]): Promise<void>;
  /** Videos by the clusters of the frames that stand for them, clusters of many videos first. */
  listVideos(query: { level: number; page_number: number }): Promise<ClusterList>;
  listClusters(query: { entity_type: EntityType; level: number; page_number: number }): Promise<ClusterList>;
  /**
   * Items that fulfil every condition, grouped by their clusters at a level: best first where something is compared, else clusters of many
   * first. A video counts as its best frame. Undefined when the item to compare with is unknown.
   */
  searchItems(search: ItemSearch): Promise<ClusterList | undefined>;
  /** Undefined when no such cluster exists (any more). */
  getCluster(query: { cluster_id: string; offset: number; limit: number }): Promise<ClusterItems | undefined>;
  findItem(mediaId: string): Promise<ItemDetails | undefined>;
  /** Undefined when the item is unknown. */
  locateOriginal(mediaId: string): Promise<ByteRange | undefined>;
  locateThumbnail(mediaId: string): Promise<ByteRange | undefined>;
}

export interface DatasetStores {
  /** Makes the folder of a dataset's first generation. */
  create(datasetId: string): Promise<DatasetStore>;
  /** The store of a dataset's generation, opened when needed and closed when long idle. */
  open(datasetId: string, generation: number): DatasetStore;
  /** Makes generation `to.generation` of another dataset as a copy of this one's; what an earlier try left is made again. */
  copy(
    from: { dataset_id: string; generation: number },
    to: { dataset_id: string; generation: number },
    changes: CopyChanges,
  ): Promise<void>;
  /** Closes and deletes the generations of a dataset but one. */
  keepOnly(datasetId: string, generation: number): Promise<void>;
  /** Closes and deletes everything of a dataset. */
  remove(datasetId: string): Promise<void>;
  /** Deletes folders that no dataset row names. */
  sweep(knownDatasetIds: ReadonlySet<string>): Promise<void>;
  close(): Promise<void>;
}
