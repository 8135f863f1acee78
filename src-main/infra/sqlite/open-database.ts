import { copyFileSync, existsSync } from 'node:fs';
import { basename } from 'node:path';
import Database from 'better-sqlite3';
import { AppError, DISK_FULL, isDiskFull } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';

/** One forward-only change of a schema. A released migration is never edited. */
export interface Migration {
  /** 1, 2, 3, … without gaps. */
  version: number;
  sql: string;
}

/** A file is no database, or is incomplete or damaged. */
export class DamagedDatabase extends AppError {
  constructor(reason: Message) {
    super('damaged', reason);
    this.name = 'DamagedDatabase';
  }
}

/**
 * Opens a SQLite file in WAL mode with foreign keys and migrates its schema: each migration runs in its own transaction together with
 * `user_version`. Before that the file is copied beside itself.
 * @throws DamagedDatabase when the file is no database or is damaged; AppError `unavailable` when a newer version wrote it.
 */
export function openDatabase(file: string, migrations: readonly Migration[]): Database.Database {
  const existed = existsSync(file);
  const db = new Database(file);
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    db.pragma('busy_timeout = 5000');
    migrate(db, file, existed, migrations);
    return db;
  } catch (error) {
    db.close();
    if (error instanceof AppError) throw error;
    if (isDamage(error)) throw new DamagedDatabase(message('database_damaged', { file: basename(file) }));
    throw asAppError(error);
  }
}

/** Opens a read-only connection to a file that {@link openDatabase} has migrated, for use beside the writer. */
export function openReadOnly(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  db.pragma('busy_timeout = 5000');
  return db;
}

/** Whether the schema of an open database is the latest. */
export function isUpToDate(db: Database.Database, migrations: readonly Migration[]): boolean {
  return Number(db.pragma('user_version', { simple: true })) === migrations.at(-1)?.version;
}

/** Paths of a database's file and of the files that SQLite creates beside it. */
export function databaseParts(file: string): string[] {
  return [file, `${file}-shm`, `${file}-wal`];
}

/** Checks the database's pages. @throws DamagedDatabase when they are inconsistent. */
export function assertSound(db: Database.Database): void {
  const verdict = db.pragma('quick_check(1)', { simple: true });
  if (verdict === 'ok') return;
  throw new DamagedDatabase(message('database_damaged_because', { file: basename(db.name), verdict: String(verdict) }));
}

function migrate(db: Database.Database, file: string, existed: boolean, migrations: readonly Migration[]): void {
  const found = Number(db.pragma('user_version', { simple: true }));
  const known = migrations.at(-1)?.version ?? 0;
  if (found > known) {
    throw new AppError('unavailable', message('database_of_newer_version', { file: basename(file), found, known }));
  }
  const pending = migrations.filter((migration) => migration.version > found);
  if (pending.length === 0) return;
  if (existed && found > 0) {
    db.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(file, `${file}.before-${known}`);
  }
  for (const { version, sql } of pending) {
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${version}`);
    })();
  }
  // The checkpoint writes the version to the file's header, which is read without opening the database.
  db.pragma('wal_checkpoint(TRUNCATE)');
}

/** Whether SQLite reports that a file is no database or that its pages are inconsistent. */
function isDamage(error: unknown): boolean {
  return isSqliteError(error) && (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT'));
}

export function isSqliteError(error: unknown): error is Error & { code: string } {
  return error instanceof Database.SqliteError;
}

/** Messages for the user, by error code of the system or SQLite. */
const STORAGE_FAILURES = {
  EROFS: 'data_folder_not_writable',
  SQLITE_READONLY: 'data_folder_not_writable',
  EACCES: 'needed_file_denied',
  EPERM: 'needed_file_denied',
  EIO: 'disk_failed',
  SQLITE_IOERR: 'disk_failed',
  ENOENT: 'needed_file_missing',
  SQLITE_CANTOPEN: 'needed_file_missing',
  EEXIST: 'needed_place_taken',
  ENOTDIR: 'needed_place_taken',
  EISDIR: 'needed_place_taken',
  EMFILE: 'too_many_open_files',
  ENFILE: 'too_many_open_files',
} as const;

function isStorageFailure(code: string): code is keyof typeof STORAGE_FAILURES {
  return Object.hasOwn(STORAGE_FAILURES, code);
}

/**
 * Converts errors of a full or failing disk to an AppError with a message for the user; all other errors, AppErrors included, are returned
 * unchanged. The stack of the original error is preserved for the log.
 */
export function asAppError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const known = knownFailure(error);
  if (known && error instanceof Error) known.stack = error.stack ?? '';
  return known ?? error;
}

function knownFailure(error: unknown): AppError | undefined {
  if (isDiskFull(error)) return new AppError('disk_full', DISK_FULL);
  if (isDamage(error)) return new DamagedDatabase(message('database_damaged_somewhere'));
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Extended codes belong to a basic code: SQLITE_IOERR_READ to SQLITE_IOERR.
  const known = [code, code.split('_', 2).join('_')].find(isStorageFailure);
  return known && new AppError('storage_failed', message(STORAGE_FAILURES[known]));
}
