import type { BackedUpDataset, Backup } from '../../contract/schemas/backup.ts';
import type { DatasetRecord } from '../../core/ports/dataset-folders.ts';

/** What a thread that writes or reads backups is started with. */
export interface BackupStart {
  /** Of the backups. */
  folder: string;
  /** Canonical. */
  dataFolder: string;
}

/** Calls that write one backup. */
export interface BackupWriterCalls {
  begin(): Promise<void>;
  /** @param staged Holds the generation under its number, and `dataset.json`. */
  keepDataset(datasetId: string, staged: string, lengths: ReadonlyMap<string, number>): Promise<void>;
  /** @returns What the backup before says of it. */
  carryDataset(datasetId: string): Promise<DatasetRecord | undefined>;
  keepFiles(datasetId: string): Promise<void>;
  keepOriginals(batchId: string): Promise<void>;
  keepOthers(): Promise<void>;
  keepCatalog(file: string): Promise<void>;
  finish(backup: {
    created_at: string;
    version: string;
    datasets: BackedUpDataset[];
    keep: number | null;
  }): Promise<Backup>;
}

/** Calls that read what is there. */
export interface BackupReaderCalls {
  list(): Promise<Backup[]>;
  readRecord(backupId: string, datasetId: string): Promise<DatasetRecord>;
  /** @param toFolder Of the generation; what the dataset kept of its versions comes to lie beside it. */
  restoreDataset(backupId: string, datasetId: string, toFolder: string): Promise<void>;
}

export type BackupCalls = BackupWriterCalls & BackupReaderCalls;

/** What the thread calls of its owner. */
export interface BackupOwner {
  report(doneBytes: number, totalBytes: number): Promise<void>;
}
