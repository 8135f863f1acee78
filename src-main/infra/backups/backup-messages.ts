import type { BackupInWork, CheckedBackup, StoredBackup } from '../../core/ports/backups.ts';
import type { DatasetRecord } from '../../core/ports/dataset-folders.ts';
import type { LostFile } from '../../core/ports/state-file.ts';
import { threadPort } from '../threads/thread-port.ts';

/** Start data of a thread that writes or reads backups. */
export interface BackupStart {
  /** Folder of the backups. */
  folder: string;
  /** Canonical path. */
  dataFolder: string;
  /** Whether somebody waits for a screen: [Note: Who gives way]. */
  claimed: SharedArrayBuffer;
}

/** Calls that write one backup, in the order of {@link BackupInWork}. */
export interface BackupWriterCalls extends Omit<BackupInWork, 'storeDataset' | 'storeCatalog' | 'close'> {
  begin(): Promise<void>;
  /**
   * Stores a dataset.
   * @param staged Folder with the generation, named by its number, and `dataset.json`.
   * @param lengths Number of bytes to store of files that may grow meanwhile, by path.
   */
  storeDataset(datasetId: string, staged: string, lengths: ReadonlyMap<string, number>): Promise<void>;
  storeCatalog(file: string): Promise<void>;
}

/** Calls that read backups. */
export interface BackupReaderCalls {
  list(): Promise<StoredBackup[]>;
  checkLatest(megabytesPerS: number | undefined): Promise<CheckedBackup & { read_bytes: number }>;
  /** @param toFolder Folder of the packs to which the blocks are added. */
  restoreBlocks(names: readonly string[], toFolder: string): Promise<number>;
  restoreFiles(files: readonly LostFile[]): Promise<number>;
  readRecord(backupId: string, datasetId: string): Promise<DatasetRecord>;
  /**
   * Restores a dataset.
   * @param toFolder Folder for the generation. The dataset's snapshots are written beside it.
   */
  restoreDataset(backupId: string, datasetId: string, toFolder: string): Promise<void>;
}

export const BACKUP_WRITER = threadPort<BackupWriterCalls>('backup_writer', {
  begin: true,
  storeDataset: true,
  carryDataset: true,
  storeFiles: true,
  storeOriginals: true,
  storeOthers: true,
  storeCatalog: true,
  finish: true,
});

export const BACKUP_READER = threadPort<BackupReaderCalls>('backup_reader', {
  list: true,
  checkLatest: true,
  restoreBlocks: true,
  restoreFiles: true,
  readRecord: true,
  restoreDataset: true,
});

/** Calls from the thread to its owner. */
export interface BackupOwner {
  report(doneBytes: number, totalBytes: number): Promise<void>;
}

export const BACKUP_OWNER = threadPort<BackupOwner>('backup_owner', { report: true });
