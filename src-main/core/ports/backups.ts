import type { Message } from '../../contract/messages.ts';
import type { BackedUpDataset, Backup } from '../../contract/schemas/backup.ts';
import type { DatasetRecord } from './dataset-folders.ts';
import type { ReadLimits } from './read-limits.ts';
import type { LostFile } from './state-file.ts';

/** A dataset as the manifest of a backup lists it. */
export type StoredDataset = Omit<BackedUpDataset, 'problem'> & { problem: Message | null };

/** A backup as its manifest describes it. */
export type StoredBackup = Omit<Backup, 'datasets'> & { datasets: StoredDataset[] };

/** A dataset in a backup. */
export interface BackedUp {
  folder: string;
  backup_id: string;
  dataset_id: string;
}

/** The result of a check of the latest backup. */
export interface CheckedBackup {
  /** The latest readable backup; null if there is none. */
  backup_id: string | null;
  /** Number of its files that cannot be restored. */
  n_damaged: number;
  /** Number of backups, of any age, whose manifest is unreadable. */
  n_unreadable: number;
}

/** Folders with backups of the data folder. */
export interface Backups {
  /**
   * Prepares a folder for backups, and creates it if it is missing.
   * @returns Its canonical path.
   * @throws AppError `invalid_request` for a relative path, a file, the app's own data, or a folder with other files.
   */
  choose(folder: string): Promise<string>;
  /** Lists the backups in a folder, the latest first. @throws AppError `invalid_request` when the folder holds no backups. */
  list(folder: string): Promise<StoredBackup[]>;
  /**
   * Reads all blocks of the latest backup.
   * @throws AppError as {@link list}.
   */
  checkLatest(folder: string, limits: ReadLimits): Promise<CheckedBackup>;
  /**
   * Copies blocks that backups still have to the snapshots of a dataset.
   * @param names SHA-256 of the blocks.
   * @returns The number of copied blocks.
   */
  restoreBlocks(folder: string, datasetId: string, names: readonly string[], signal: AbortSignal): Promise<number>;
  /**
   * Replaces files by those of the latest backup that has them undamaged.
   * @returns The number of restored files.
   */
  restoreFiles(folder: string, files: readonly LostFile[], signal: AbortSignal): Promise<number>;
  /**
   * Starts a backup. Reuses the complete packs of an interrupted backup.
   * @param onBytes Receives the stored bytes and the estimated total.
   * @throws AppError `unavailable` while another process writes to the folder.
   */
  begin(
    folder: string,
    options: { signal: AbortSignal; onBytes: (done: number, total: number) => void },
  ): Promise<BackupInWork>;
  /**
   * Reads the record of a dataset in a backup.
   * @throws AppError `invalid_request`, `not_found`; `storage_failed` when the record is damaged.
   */
  readRecord(from: BackedUp): Promise<DatasetRecord>;
  /**
   * Writes a dataset of a backup as the next generation of another dataset. Snapshots keep their previous ids. Missing originals are
   * restored.
   * @returns The generation's number.
   * @throws AppError `not_found`; `storage_failed` when a part of it is missing or damaged.
   */
  restoreDataset(
    from: BackedUp,
    toDatasetId: string,
    options: { signal: AbortSignal; onBytes: (done: number) => void },
  ): Promise<number>;
}

/** A backup in progress. It becomes available when {@link finish} returns. */
export interface BackupInWork {
  /**
   * Stores the present state of a dataset.
   * @throws AppError `storage_failed` when it cannot be read.
   */
  storeDataset(record: DatasetRecord): Promise<void>;
  /**
   * Copies a dataset from the previous backup.
   * @returns The dataset's record in that backup; undefined when the backup lacks the dataset.
   */
  carryDataset(datasetId: string): Promise<DatasetRecord | undefined>;
  /** Stores the files of a dataset unchanged, even if they are damaged. */
  storeFiles(datasetId: string): Promise<void>;
  /** Stores the originals of a batch. Missing originals are copied from the previous backup. */
  storeOriginals(batchId: string): Promise<void>;
  /** Stores models, set-aside files and keys. */
  storeOthers(): Promise<void>;
  /** Stores the catalog. @param write Writes the catalog to a file. */
  storeCatalog(write: (file: string) => Promise<void>): Promise<void>;
  /**
   * Completes the backup, then deletes older backups and the blocks that no backup needs.
   * @param keep Number of backups to keep; all when null.
   */
  finish(backup: {
    created_at: string;
    version: string;
    datasets: StoredDataset[];
    keep: number | null;
  }): Promise<StoredBackup>;
  /** Unlocks the folder, whether or not the backup is finished. */
  close(): Promise<void>;
}
