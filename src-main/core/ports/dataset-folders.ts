import type { Message } from '../../contract/messages.ts';
import type { ReadLimits } from './read-limits.ts';
import type { LostFile } from './state-file.ts';

/** A row of a catalog table. */
export type RecordRow = Record<string, string | number | null>;

/**
 * The catalog's rows of a dataset, as stored in the dataset's folder, so that they survive the loss of the catalog. The record is rewritten
 * completely on every relevant change.
 */
export interface DatasetRecord {
  format: 1;
  dataset_id: string;
  /** Increases with every change. If the folder and the catalog differ, the higher revision is the valid one. */
  revision: number;
  dataset: RecordRow;
  owner: RecordRow;
  /** Rows that belong to the dataset, by table. */
  rows: Record<string, RecordRow[]>;
}

/** A snapshot in a dataset's folder. */
export interface StoredSnapshot {
  snapshot_id: string;
  /** The snapshot's catalog row at the time of creation. */
  about: RecordRow;
}

/** A snapshot that was restored from another dataset's backup. */
export interface AdoptedSnapshot extends StoredSnapshot {
  previous_id: string;
}

/** Snapshots that cannot be restored. */
export interface DamagedSnapshots {
  /** Ids of damaged and missing snapshots. */
  snapshot_ids: string[];
  /** SHA-256 of the blocks that they lack. More may be needed once these are restored. */
  blocks: string[];
  /** Their files that are missing or truncated. */
  files: LostFile[];
}

/** Facts read from a dataset's own database when neither a catalog row nor a record exists. */
export interface GenerationFacts {
  generation: number;
  n_images: number;
  n_videos: number;
  n_objects: number;
  n_file_errors: number;
  /** Creation time of the first batch; null if no batch exists. */
  created_at: string | null;
  is_indexed: boolean;
  source_type: 'FOLDER' | 'UPLOAD';
  source_uri: string;
  media_folders: string[];
  /** Prefixes of the ids of its items ([Note: Ids of items]). */
  id_prefixes: string[];
}

/** A dataset folder found on disk. */
export interface FoundFolder {
  dataset_id: string;
  /** Undefined if the record is missing or unreadable. */
  record: DatasetRecord | undefined;
  /** Whether a deletion of the folder has started. */
  is_deleted: boolean;
  /** Numbers of the folder's generations, ascending. */
  generations: number[];
  /** Whether the folder contains no file. */
  is_empty: boolean;
}

/** The folders of datasets. The contents of a generation belong to the dataset store. */
export interface DatasetFolders {
  list(): Promise<FoundFolder[]>;
  /** Adds up the sizes of the files of a dataset's folder. Files that snapshots share count once. */
  countBytes(datasetId: string): Promise<number>;
  /** Reads facts from the latest readable generation of a dataset. @returns Undefined if no generation is readable. */
  readFacts(datasetId: string): Promise<GenerationFacts | undefined>;
  /** Writes the record atomically. Does nothing if the folder is missing or being deleted. */
  writeRecord(record: DatasetRecord): Promise<void>;
  /** Marks the folder as being deleted. Only marked folders are ever swept. Works on a full disk. */
  markDeleted(datasetId: string): Promise<void>;
  unmarkDeleted(datasetId: string): Promise<void>;
  /**
   * Deletes a dataset's folder and its vectors. The deletion mark is removed last. The folder stays if its vectors cannot be deleted, as
   * when their engine cannot be reached; the next start tries again.
   */
  remove(datasetId: string): Promise<void>;
  /** Deletes the unneeded generations of a dataset with their vectors. One stays if its vectors cannot be deleted. */
  deleteGenerations(datasetId: string, isUnneeded: (generation: number) => boolean): Promise<void>;
  /** Inspects a generation folder without opening its database. @returns The problem, or undefined if none is found. */
  inspect(datasetId: string, generation: number): Message | undefined;
  /** Lists complete snapshots. */
  listSnapshots(datasetId: string): Promise<StoredSnapshot[]>;
  /** Reads and verifies all data of snapshots. */
  findDamagedSnapshots(datasetId: string, snapshotIds: Iterable<string>, limits: ReadLimits): Promise<DamagedSnapshots>;
  /**
   * Assigns new ids and rows to restored snapshots in a dataset's folder.
   * @returns The snapshots that exist.
   */
  adoptSnapshots(datasetId: string, snapshots: readonly AdoptedSnapshot[]): Promise<AdoptedSnapshot[]>;
  /**
   * Deletes unneeded and incomplete snapshots, the blocks that only they use, and all generations except the needed ones.
   * @param needed `generation` is the present one; `generations` are others that waiting tasks will read.
   */
  sweep(
    datasetId: string,
    needed: { generation: number; generations: readonly number[]; isNeeded: (snapshotId: string) => boolean },
  ): Promise<void>;
  /** Moves an unknown folder aside. @returns The new path, relative to the data folder. */
  setAside(datasetId: string): Promise<string>;
}
