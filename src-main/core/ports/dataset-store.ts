import type { RecordRow } from './dataset-folders.ts';
import type { DatasetReader } from './dataset-reader.ts';
import type { DatasetWriter } from './dataset-writer.ts';
import type { CopyChanges } from './enrichment-writer.ts';
import type { StateFile } from './state-file.ts';

/**
 * One dataset's own store: a folder of numbered generations with rows, vectors, thumbnails and clusters. All calls are asynchronous and take
 * plain data.
 */
export interface DatasetStore {
  readonly read: DatasetReader;
  readonly write: DatasetWriter;
}

export interface DatasetStores {
  /** Makes the first generation of a dataset, empty. @returns Its number. */
  create(datasetId: string): Promise<number>;
  /** The store of a dataset's generation, opened when needed and closed when long idle. */
  open(datasetId: string, generation: number): DatasetStore;
  /** Makes a copy of a generation as the next one of another dataset. @returns Its number, for the catalog to point to. */
  copy(from: { dataset_id: string; generation: number }, toDatasetId: string, changes: CopyChanges): Promise<number>;
  /**
   * Puts what a generation has committed by now into a folder, which is made: its database by copy, other files by hard link.
   * @returns Those other files.
   */
  takeState(of: { dataset_id: string; generation: number }, folder: string): Promise<StateFile[]>;
  /**
   * Keeps the present state of a generation as a version of its dataset, at the cost of what changed since the last one.
   * @param about What is known of it, kept with it.
   * @returns How many blocks its rows take, and how many of them are new.
   */
  keepVersion(
    of: { dataset_id: string; generation: number },
    versionId: string,
    about: RecordRow,
  ): Promise<{ n_blocks: number; n_new_blocks: number }>;
  /**
   * Gives another dataset a version of its own that holds what a version of this one does; it costs no space.
   * @throws AppError `not_found`; `storage_failed` where a part of it is missing.
   */
  shareVersion(
    from: { dataset_id: string; version_id: string },
    to: { dataset_id: string; version_id: string; about: RecordRow },
  ): Promise<void>;
  /**
   * Lays a kept version out as the next generation of its dataset. @returns Its number, for the catalog to point to.
   * @param onBytes Gets how much of its rows is written, and of how much.
   * @throws AppError `not_found`; `storage_failed` where a part of it is missing or damaged.
   */
  layOut(datasetId: string, versionId: string, onBytes: (done: number, total: number) => void): Promise<number>;
  /** Deletes a kept version, and what no other one of the dataset needs. */
  forgetVersion(datasetId: string, versionId: string): Promise<void>;
  /** Closes and deletes the generations of a dataset but one. */
  keepOnly(datasetId: string, generation: number): Promise<void>;
  /** Closes and deletes everything of a dataset, the mark of its deletion last. */
  remove(datasetId: string): Promise<void>;
  /** Closes what nobody uses: the next call opens it as the settings say now. */
  renew(): void;
  close(): Promise<void>;
}
