import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../contract/errors.ts';
import { isSqliteError } from './sqlite/open-database.ts';

/** Enough for the few pages that SQLite appends when a task is marked failed. */
const RESERVE_BYTES = 1024 * 1024;

/** Where data lives when nobody says otherwise: the platform's place for application data. */
export function defaultDataFolder(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string {
  if (platform === 'win32') return join(environment.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Vitrine');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Vitrine');
  return join(environment.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'vitrine');
}

/** Folders inside the data folder. */
export interface DataFolder {
  root: string;
  datasets: string;
  media: string;
  models: string;
  temporary: string;
  /** Removes what requests of an earlier run left in `temporary`. */
  emptyTemporary(): Promise<void>;
  /** Space kept for the moment when the disk is full, so that the failure itself can still be written down. */
  reserve: {
    giveUp(): void;
    /** Keeps it again, where there is room. */
    setAside(): void;
  };
  /** Lets another process use the folder. */
  release(): void;
}

/**
 * Makes the folders and takes the data folder for this process. The lock is SQLite's own file lock, which the system drops when the
 * process dies, however it dies.
 * @throws AppError `unavailable` when another process has it, `storage_failed` when it cannot be written.
 */
export function openDataFolder(root: string): DataFolder {
  const folders = {
    root,
    datasets: join(root, 'datasets'),
    media: join(root, 'media'),
    models: join(root, 'models'),
    temporary: join(root, 'temporary'),
  };
  try {
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new AppError('storage_failed', `The data folder cannot be made or written: ${reasonOf(error)}`);
  }
  // Held twice: a person who takes the first for a leftover and deletes it would let a second process in.
  const locks = takeLocks([join(root, 'lock'), join(folders.models, '.lock')]);
  const reserve = join(root, 'reserve');
  setReserveAside(reserve);
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
    release: () => {
      for (const lock of locks) lock.close();
    },
  };
}

/** A disk that has no room even for this will be met, and told of, by whatever writes next. */
function setReserveAside(file: string): void {
  if (existsSync(file)) return;
  try {
    writeFileSync(file, Buffer.alloc(RESERVE_BYTES, 1));
  } catch {
    rmSync(file, { force: true });
  }
}

function takeLocks(files: readonly string[]): Database.Database[] {
  const taken: Database.Database[] = [];
  try {
    for (const file of files) taken.push(takeLock(file));
    return taken;
  } catch (error) {
    for (const lock of taken) lock.close();
    throw error;
  }
}

function takeLock(file: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: 0 });
    db.pragma('locking_mode = EXCLUSIVE');
    // Nothing is ever written: a full disk must not keep the lock from being taken.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) {
      throw new AppError('unavailable', 'Another Vitrine is already using this data folder');
    }
    throw new AppError('storage_failed', `The data folder cannot be written to: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
