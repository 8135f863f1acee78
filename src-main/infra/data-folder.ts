import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import { assertNotOpen, lockFiles } from './sqlite/file-lock.ts';

/**
 * Bytes reserved on the disk: enough for the few pages that SQLite appends when a task is marked failed, and for those that a start writes.
 */
const RESERVE_BYTES = 1024 * 1024;

/** Paths of a data folder and operations on it. */
export interface DataFolder {
  root: string;
  datasets: string;
  media: string;
  models: string;
  temporary: string;
  /** Deletes files that requests of an earlier run left in `temporary`. */
  emptyTemporary(): Promise<void>;
  /**
   * Disk space that is reserved so that a failure can still be recorded when the disk is full.
   * Opening the folder frees the reserve, so that a start has free space: call `setAside` after the start.
   */
  reserve: {
    giveUp(): void;
    /** Reserves the space again, if the disk has room. */
    setAside(): void;
  };
  /** Writes the address of this folder's server to a file, for commands that find the folder in use. */
  announce(address: ServerAddress): void;
  /** Releases the lock, so that another process can use the folder. */
  release(): void;
}

const ADDRESS = 'address';

/** Address and credentials with which a command reaches the server that uses a data folder. */
export interface ServerAddress {
  base_url: string;
  /** Secret that proves that the command can read the folder. */
  key: string;
  /** Certificate of a server that uses TLS, as PEM text; null without TLS. */
  certificate: string | null;
}

/**
 * Reads the address file of a data folder.
 * @returns Undefined when no server uses the folder or the server has not written its address.
 */
export function addressOf(root: string): ServerAddress | undefined {
  const file = join(root, ADDRESS);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ServerAddress) : undefined;
}

/** File that marks a folder into which a backup is being restored. The folder is no data folder until the restore is complete. */
export const RESTORING = 'restoring.json';

/**
 * Creates the folders and locks the data folder for this process.
 * @throws AppError `unavailable` when another process uses the folder or its restore is incomplete, `storage_failed` when it cannot be
 * written.
 */
export function openDataFolder(root: string): DataFolder {
  if (existsSync(join(root, RESTORING))) {
    throw new AppError('unavailable', message('restore_incomplete'));
  }
  const folders = {
    root,
    datasets: join(root, 'datasets'),
    media: join(root, 'media'),
    models: join(root, 'models'),
    temporary: join(root, 'temporary'),
  };
  try {
    // The folder holds password hashes and all media: other accounts of the machine must not read the folders created here.
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new AppError('storage_failed', message('data_folder_unusable', { problem: reasonOf(error) }));
  }
  // Two lock files: if a person deletes the first as a leftover, the second still keeps another process out.
  const lock = lockFiles([join(root, 'lock'), join(folders.models, '.lock')], 'data_folder');
  try {
    // If both are deleted, the other process still has the catalog open.
    assertNotOpen(join(root, 'catalog.db'), 'data_folder');
  } catch (error) {
    lock.release();
    throw error;
  }
  // A server that was killed leaves its address file.
  const address = join(root, ADDRESS);
  rmSync(address, { force: true });
  const reserve = join(root, 'reserve');
  rmSync(reserve, { force: true });
  return {
    ...folders,
    emptyTemporary: async () => {
      await rm(folders.temporary, { recursive: true, force: true });
      await mkdir(folders.temporary, { recursive: true });
    },
    reserve: {
      giveUp: () => rmSync(reserve, { force: true }),
      setAside: () => setReserveAside(reserve),
    },
    announce: (published) => writeFileSync(address, JSON.stringify(published), { mode: 0o600 }),
    release: () => {
      rmSync(address, { force: true });
      lock.release();
    },
  };
}

/** Writes the reserve file. When the disk has no room for it, no error is thrown: the next write fails and reports the full disk. */
function setReserveAside(file: string): void {
  if (existsSync(file)) return;
  try {
    writeFileSync(file, Buffer.alloc(RESERVE_BYTES, 1));
  } catch {
    rmSync(file, { force: true });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
