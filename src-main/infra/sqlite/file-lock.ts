import Database from 'better-sqlite3';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { isSqliteError } from './open-database.ts';

export interface FileLock {
  release(): void;
}

/**
 * Locks files for this process, all of them or none. It uses SQLite's own file lock, which the system releases when the process dies for
 * any
 * reason.
 * @param what Name, for error messages, of what the files protect.
 * @throws AppError `unavailable` when another process has locked one of them, `storage_failed` when one cannot be written.
 */
/** The folder that a lock protects. */
type LockedFolder = 'data_folder' | 'backups_folder';

export function lockFiles(files: readonly string[], what: LockedFolder): FileLock {
  const taken: Database.Database[] = [];
  const release = () => {
    for (const lock of taken) lock.close();
  };
  try {
    for (const file of files) taken.push(lockFile(file, what));
    return { release };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Checks that no other process has a database open. A connection in WAL mode holds a shared lock as long as it is open, which is the last
 * protection when somebody deleted the lock files. A missing or damaged file counts as not open.
 * @throws AppError `unavailable` when another process has it open.
 */
export function assertNotOpen(file: string, what: LockedFolder): void {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: 0, fileMustExist: true });
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('user_version');
  } catch (error) {
    if (isBusy(error)) throw inUse(what);
  } finally {
    db?.close();
  }
}

function lockFile(file: string, what: LockedFolder): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: 0 });
    db.pragma('locking_mode = EXCLUSIVE');
    // Nothing is ever written to the file: a full disk must not prevent locking.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    if (isBusy(error)) throw inUse(what);
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('storage_failed', message(`${what}_not_lockable`, { problem: reason }));
  }
}

function isBusy(error: unknown): boolean {
  return isSqliteError(error) && error.code.startsWith('SQLITE_BUSY');
}

function inUse(what: LockedFolder): AppError {
  return new AppError('unavailable', message(`${what}_in_use`));
}
