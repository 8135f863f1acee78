import type { Message } from '../../contract/messages.ts';

/** Rows of a table as the catalog has them. */
export type RecordRow = Record<string, string | number | null>;

/**
 * What a dataset's folder says of the dataset, so that the catalog is not the only one to know: the catalog's rows of it. Written whole
 * with every change that matters.
 */
export interface DatasetRecord {
  format: 1;
  dataset_id: string;
  /** Grows with every change: of a folder and a catalog that differ, the higher one is right. */
  revision: number;
  dataset: RecordRow;
  owner: RecordRow;
  /** Rows that belong to the dataset, by table. */
  rows: Record<string, RecordRow[]>;
}

/** A snapshot in a dataset's folder. */
export interface StoredSnapshot {
  snapshot_id: string;
  /** The snapshot's row of the catalog when it was created. */
  about: RecordRow;
}

/** A snapshot that was restored from another dataset's backup. */
export interface AdoptedSnapshot extends StoredSnapshot {
  previous_id: string;
}

/** What a dataset's own database tells, where nothing else is left. */
export interface GenerationFacts {
  generation: number;
  n_images: number;
  n_videos: number;
  n_objects: number;
  n_file_errors: number;
  /** Of the first batch; null without one. */
  created_at: string | null;
  is_indexed: boolean;
  source_type: 'FOLDER' | 'UPLOAD';
  source_uri: string;
  media_folders: string[];
}

/** A folder below that of all datasets. */
export interface FoundFolder {
  dataset_id: string;
  /** Undefined where there is none, or none that can be read. */
  record: DatasetRecord | undefined;
  /** A deletion of it was begun. */
  is_deleted: boolean;
  /** Numbers of its generations, ascending. */
  generations: number[];
  /** Not a single file in it. */
  is_empty: boolean;
}

/** The folders of datasets as a whole; what is in a generation is the store's. */
export interface DatasetFolders {
  list(): Promise<FoundFolder[]>;
  /** What the latest generation of a dataset that can be read tells; undefined where none can. */
  readFacts(datasetId: string): Promise<GenerationFacts | undefined>;
  /** Puts the record in place at once and whole. A folder that is gone or being deleted is passed over. */
  writeRecord(record: DatasetRecord): Promise<void>;
  /** Says on the disk that a deletion has begun: only such folders are ever swept. Needs no space. */
  markDeleted(datasetId: string): Promise<void>;
  unmarkDeleted(datasetId: string): Promise<void>;
  /** Deletes a dataset's folder, the mark last. */
  remove(datasetId: string): Promise<void>;
  /** What is wrong with a generation's folder, as far as that can be told without opening it; undefined when nothing is. */
  inspect(datasetId: string, generation: number): Message | undefined;
  /** Complete snapshots. */
  listSnapshots(datasetId: string): Promise<StoredSnapshot[]>;
  /** Reads and verifies all data of snapshots. @returns Ids of those that are damaged or missing. */
  findDamagedSnapshots(datasetId: string, snapshotIds: Iterable<string>, signal: AbortSignal): Promise<string[]>;
  /**
   * Gives restored snapshots in a dataset's folder ids and rows of their own.
   * @returns Those that exist.
   */
  adoptSnapshots(datasetId: string, snapshots: readonly AdoptedSnapshot[]): Promise<AdoptedSnapshot[]>;
  /** Deletes unwanted and incomplete snapshots with the blocks that only they need, and all generations but one. */
  sweep(datasetId: string, generation: number, isWanted: (snapshotId: string) => boolean): Promise<void>;
  /** Moves a folder that nothing is known of out of the way. @returns Where to, below the data folder. */
  setAside(datasetId: string): Promise<string>;
}
