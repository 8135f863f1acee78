import type { BackedUpDataset, Backup } from '../../contract/schemas/backup.ts';
import type { DatasetRecord } from './dataset-folders.ts';

/** Where a backup is, and what of it. */
export interface BackedUp {
  folder: string;
  backup_id: string;
  dataset_id: string;
}

/** Folders with backups of the data folder. */
export interface Backups {
  /**
   * Makes sure that backups can be written to a folder; one that is missing is made.
   * @returns Its canonical path.
   * @throws AppError `invalid_request` saying what is wrong: relative, no folder, the app's own data, other things in it.
   */
  choose(folder: string): Promise<string>;
  /** The latest first. @throws AppError `invalid_request` when the folder holds no backups. */
  list(folder: string): Promise<Backup[]>;
  /**
   * Begins a backup; what an earlier one left half done is gone on with.
   * @param onBytes Hears how much has been kept by now, and how much there is about.
   * @throws AppError `unavailable` while another process writes to the folder.
   */
  begin(
    folder: string,
    options: { signal: AbortSignal; onBytes: (done: number, total: number) => void },
  ): Promise<BackupInWork>;
  /** What a backup says of a dataset. @throws AppError `invalid_request`, `not_found`; `storage_failed` when it is damaged. */
  readRecord(from: BackedUp): Promise<DatasetRecord>;
  /**
   * Lays a dataset of a backup out as the next generation of another one, its kept states beside it under the ids that they had, and its
   * originals where they were, as far as they are missing there.
   * @returns The generation's number.
   * @throws AppError `not_found`; `storage_failed` when a part of it is missing or damaged.
   */
  restoreDataset(
    from: BackedUp,
    toDatasetId: string,
    options: { signal: AbortSignal; onBytes: (done: number) => void },
  ): Promise<number>;
}

/** A backup that is being made. Nothing of it counts before {@link finish}. */
export interface BackupInWork {
  /**
   * Keeps a dataset as its store has it now.
   * @throws AppError `storage_failed` when it cannot be read.
   */
  keepDataset(record: DatasetRecord): Promise<void>;
  /** Takes a dataset over from the backup before. @returns What that says of it; undefined where it has none. */
  carryDataset(datasetId: string): Promise<DatasetRecord | undefined>;
  /** Keeps the files of a dataset as they lie there, damaged or not. */
  keepFiles(datasetId: string): Promise<void>;
  /** Keeps the originals of a batch; where they are gone, those of the backup before. */
  keepOriginals(batchId: string): Promise<void>;
  /** Keeps models, what was set aside, and keys. */
  keepOthers(): Promise<void>;
  /** @param write Writes the catalog to a file. */
  keepCatalog(write: (file: string) => Promise<void>): Promise<void>;
  /**
   * The last act: the backup is there. Afterwards all but the latest backups are deleted, and what no backup needs.
   * @param keep How many stay; all when null.
   */
  finish(backup: {
    created_at: string;
    version: string;
    datasets: BackedUpDataset[];
    keep: number | null;
  }): Promise<Backup>;
  /** Lets go of the folder, finished or not. */
  close(): Promise<void>;
}
