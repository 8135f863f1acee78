import Database from 'better-sqlite3';
import { AppError } from '../../contract/errors.ts';
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
export function lockFiles(files: readonly string[], what: string): FileLock {
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

function lockFile(file: string, what: string): Database.Database {
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
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) {
      throw new AppError('unavailable', `Another Vitrine is already using this ${what}`);
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('storage_failed', `The ${what} cannot be written to: ${reason}`);
  }
}
