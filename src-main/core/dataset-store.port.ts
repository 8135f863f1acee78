import type { EntityType } from '../contract/schemas/explore.ts';
import type { Exif, FailedImage, ImageResult, QualityStatistics } from './compute.port.ts';

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
  kind: 'image' | 'video';
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
}

/** What identifies a vector space; a dataset's vectors are all of one. */
export interface VectorSpace {
  encoder_id: string;
  dim: number;
}

/** One item, as much as lists show of it. */
export interface ItemRow {
  row: number;
  media_id: string;
  media_type: 'image' | 'video_frame';
  file_path: string;
  width: number;
  height: number;
  /** Null but for frames. */
  video_id: string | null;
  frame_number: number | null;
  frame_timestamp: number | null;
}

export interface ScoredItem extends ItemRow {
  /** 0 identical … 2 opposite; null where nothing is scored. */
  cosine_distance: number | null;
}

export interface ItemDetails extends ItemRow {
  format: string;
  pages: number;
  content_hash: string;
  size_bytes: number;
  mtime_ms: number;
  created_at: string;
  uniqueness_score: number | null;
  quality: QualityStatistics;
  exif: Exif | null;
  cluster_ids: string[];
}

export interface ClusterView {
  cluster_id: string;
  level: number;
  n_images: number;
  n_frames: number;
  n_videos: number;
  cosine_distance: number | null;
  previews: ScoredItem[];
}

export interface ClusterList {
  clusters: ClusterView[];
  total_clusters: number;
  total_items: number;
}

export interface ClusterItems {
  cluster: ClusterView;
  items: ScoredItem[];
  total: number;
}

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
  published: { graph_file: string; clusters_file: string; count: number } | undefined;
}

export interface DatasetStore {
  addSource(source: SourceRow): Promise<void>;
  /** The source of a folder: the one that has this root, else a new one. */
  ensureFolderSource(root: string): Promise<string>;
  addBatch(batch: BatchRow): Promise<void>;
  listBatches(): Promise<BatchSummary[]>;
  /** Removes a batch whose items were never published, with all that was saved of it. */
  discardBatch(batch_id: string): Promise<void>;
  /** Adds files that are not known yet by path; known ones are left as they are. Returns how many were new. */
  addFiles(batch_id: string, files: NewFile[]): Promise<number>;
  /** Adds uploaded files: a taken path gets a number unless the content is the same. */
  addUploads(batch_id: string, files: NewFile[]): Promise<number>;
  /** Fixes the vector space before the first result. @throws when the dataset has another one. */
  openVectorSpace(space: VectorSpace): Promise<void>;
  /** Which of these paths the batch has already. */
  knownPaths(batch_id: string, file_paths: string[]): Promise<string[]>;
  /** Files of a batch still to be fetched, in order of path. */
  listRemote(batch_id: string, after: FileCursor, limit: number): Promise<RemoteFile[]>;
  saveFetched(results: FetchResult[]): Promise<void>;
  /** Files of a batch still to be read, in order of path. */
  listPending(batch_id: string, kind: 'image' | 'video', after: FileCursor, limit: number): Promise<PendingFile[]>;
  /** Marks a video as read and adds its frames as files still to be read, in one transaction. */
  saveVideo(video: NewVideo, frames: NewFile[]): Promise<void>;
  failFile(file_id: number, kind: FileProblemKind, reason: string): Promise<void>;
  /** Writes vectors and thumbnails, then the rows, in one transaction. Safe to repeat: results of files no longer pending are ignored. */
  saveResults(results: ImageResult[]): Promise<void>;
  /** Makes failed files of a batch pending again (a retry reads them once more). */
  retryFailed(batch_id: string): Promise<number>;
  /** Of the whole dataset, or of one batch. */
  counts(batch_id?: string): Promise<StoreCounts>;
  listFileErrors(query: { kind: FileProblemKind | null; offset: number; limit: number }): Promise<{
    file_errors: FileErrorRow[];
    total: number;
    by_kind: Record<string, number>;
  }>;
  /** Where the next index job works. */
  prepareIndex(entity_type: EntityType): Promise<IndexFiles>;
  /** Switches reads to the finished index in one transaction and makes all saved rows visible. */
  publishIndex(entity_type: EntityType, files: IndexFiles): Promise<void>;
  listClusters(query: { entity_type: EntityType; level: number; page_number: number }): Promise<ClusterList>;
  /** Items most like an item, grouped by their clusters at a level, best first. Undefined when the item is unknown. */
  searchByItem(query: {
    entity_type: EntityType;
    level: number;
    page_number: number;
    media_id: string;
  }): Promise<ClusterList | undefined>;
  /** Undefined when no such cluster exists (any more). */
  getCluster(query: { cluster_id: string; offset: number; limit: number }): Promise<ClusterItems | undefined>;
  findItem(media_id: string): Promise<ItemDetails | undefined>;
  /** Undefined when the item is unknown. */
  locateOriginal(media_id: string): Promise<ByteRange | undefined>;
  locateThumbnail(media_id: string): Promise<ByteRange | undefined>;
}

export interface DatasetStores {
  /** Makes the folder of a dataset's first generation. */
  create(dataset_id: string): Promise<DatasetStore>;
  /** The store of a dataset's generation, opened when needed and closed when long idle. */
  open(dataset_id: string, generation: number): DatasetStore;
  /** Closes and deletes everything of a dataset. */
  remove(dataset_id: string): Promise<void>;
  /** Deletes folders that no dataset row names. */
  sweep(known_dataset_ids: ReadonlySet<string>): Promise<void>;
  close(): Promise<void>;
}
