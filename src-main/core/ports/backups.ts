import type { BackedUpDataset, Backup } from '../../contract/schemas/backup.ts';
import type { DatasetRecord } from './dataset-folders.ts';

/** A dataset in a backup. */
export interface BackedUp {
  folder: string;
  backup_id: string;
  dataset_id: string;
}

/** Folders with backups of the data folder. */
export interface Backups {
  /**
   * Prepares a folder for backups, and creates it if it is missing.
   * @returns Its canonical path.
   * @throws AppError `invalid_request` for a relative path, a file, the app's own data, or a folder with other files.
   */
  choose(folder: string): Promise<string>;
  /** The latest first. @throws AppError `invalid_request` when the folder holds no backups. */
  list(folder: string): Promise<Backup[]>;
  /**
   * Starts a backup. Complete packs of an interrupted one are used.
   * @param onBytes Receives the stored bytes and the estimated total.
   * @throws AppError `unavailable` while another process writes to the folder.
   */
  begin(
    folder: string,
    options: { signal: AbortSignal; onBytes: (done: number, total: number) => void },
  ): Promise<BackupInWork>;
  /** The record of a dataset in a backup. @throws AppError `invalid_request`, `not_found`; `storage_failed` when it is damaged. */
  readRecord(from: BackedUp): Promise<DatasetRecord>;
  /**
   * Writes a dataset of a backup as the next generation of another one, with its snapshots under their previous ids, and its originals that
   * are missing.
   * @returns The generation's number.
   * @throws AppError `not_found`; `storage_failed` when a part of it is missing or damaged.
   */
  restoreDataset(
    from: BackedUp,
    toDatasetId: string,
    options: { signal: AbortSignal; onBytes: (done: number) => void },
  ): Promise<number>;
}

/** A backup that is being made. It exists after {@link finish}. */
export interface BackupInWork {
  /**
   * Stores the present state of a dataset.
   * @throws AppError `storage_failed` when it cannot be read.
   */
  storeDataset(record: DatasetRecord): Promise<void>;
  /** Takes a dataset over from the previous backup. @returns Its record there; undefined when the previous backup does not have it. */
  carryDataset(datasetId: string): Promise<DatasetRecord | undefined>;
  /** Stores the files of a dataset as they are, damaged or not. */
  storeFiles(datasetId: string): Promise<void>;
  /** Stores the originals of a batch. If they are missing, takes them over from the previous backup. */
  storeOriginals(batchId: string): Promise<void>;
  /** Stores models, files that were set aside, and keys. */
  storeOthers(): Promise<void>;
  /** @param write Writes the catalog to a file. */
  storeCatalog(write: (file: string) => Promise<void>): Promise<void>;
  /**
   * Completes the backup, then deletes older backups and the blocks that no backup needs.
   * @param keep Number of backups to keep; all when null.
   */
  finish(backup: {
    created_at: string;
    version: string;
    datasets: BackedUpDataset[];
    keep: number | null;
  }): Promise<Backup>;
  /** Releases the folder, whether the backup is finished or not. */
  close(): Promise<void>;
}
