import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { setAside } from '../set-aside.ts';
import { asAppError, DamagedDatabase, isSqliteError, openDatabase } from '../sqlite/open-database.ts';
import { catalogMigrations } from './schema/migrations.ts';

export type SqlValue = string | number | null;
export type Sql = Record<string, SqlValue>;

/**
 * The handle on catalog.db: small, shared, always answers fast. Repositories of the core's domains hold the statements; a function that
 * joins a caller's transaction is simply called inside `transaction`.
 */
export interface Catalog {
  /** Rows of a query, parameters by name. */
  all<Row>(sql: string, parameters?: Sql): Row[];
  /** The first row, or undefined. */
  find<Row>(sql: string, parameters?: Sql): Row | undefined;
  /** Runs a change and returns how many rows it touched. */
  run(sql: string, parameters?: Sql): { changes: number; last_id: number };
  /** Everything inside commits together or not at all; calls nest. */
  transaction<T>(work: () => T): T;
  /** Calls the listener after each commit, in its call: it may only note that there was one. */
  onCommit(listener: () => void): void;
  /** Brings what was committed from the write-ahead log into the file itself, so that the file alone is worth copying. */
  checkpoint(): void;
  /** Writes a consistent copy to a file, a few pages at a time. */
  copyTo(file: string): Promise<void>;
  close(): void;
}

export interface OpenedCatalog {
  catalog: Catalog;
  /** `new`: there was none, or one that nothing was in. `replaced`: it was damaged and is out of the way now, a new one in its place. */
  origin: { kind: 'kept' } | { kind: 'new' } | { kind: 'replaced'; set_aside: string };
}

/** @throws AppError `unavailable` when the folder was written by a newer version. */
export async function openCatalog(dataFolder: string): Promise<OpenedCatalog> {
  const file = join(dataFolder, 'catalog.db');
  try {
    const { db, isNew } = openSound(file);
    return { catalog: createCatalog(db), origin: { kind: isNew ? 'new' : 'kept' } };
  } catch (error) {
    if (!(error instanceof DamagedDatabase)) throw error;
  }
  let movedTo = '';
  for (const part of [`${file}-wal`, `${file}-shm`, file]) {
    if (existsSync(part)) movedTo = await setAside(dataFolder, part, 'catalog');
  }
  return {
    catalog: createCatalog(openDatabase(file, catalogMigrations)),
    origin: { kind: 'replaced', set_aside: movedTo },
  };
}

/** Opens a copy that {@link Catalog.copyTo} wrote, to change what is in it. */
export function openCatalogCopy(file: string): Catalog {
  return createCatalog(openDatabase(file, catalogMigrations));
}

/** @throws DamagedDatabase when its pages contradict each other or its tables are not ours. */
function openSound(file: string): { db: Database.Database; isNew: boolean } {
  const db = openDatabase(file, catalogMigrations);
  try {
    const verdict = db.pragma('quick_check(1)', { simple: true });
    if (verdict !== 'ok') throw new DamagedDatabase(`catalog.db is damaged: ${String(verdict)}`);
    // One that was ever used knows its owner.
    return { db, isNew: db.prepare('SELECT 1 FROM user').get() === undefined };
  } catch (error) {
    db.close();
    throw isSqliteError(error) ? new DamagedDatabase('catalog.db is damaged') : error;
  }
}

function createCatalog(db: Database.Database): Catalog {
  const statements = new Map<string, Database.Statement<Sql[]>>();

  const prepare = (sql: string) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = db.prepare<Sql[]>(sql);
    statements.set(sql, statement);
    return statement;
  };
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw asAppError(error);
    }
  };
  const listeners: (() => void)[] = [];
  const committed = <T>(result: T): T => {
    if (!db.inTransaction) for (const listener of listeners) listener();
    return result;
  };

  return {
    all: <Row>(sql: string, parameters: Sql = {}) => guarded(() => prepare(sql).all(parameters) as Row[]),
    find: <Row>(sql: string, parameters: Sql = {}) => guarded(() => prepare(sql).get(parameters) as Row | undefined),
    run: (sql, parameters = {}) =>
      guarded(() => {
        const { changes, lastInsertRowid } = prepare(sql).run(parameters);
        return committed({ changes, last_id: Number(lastInsertRowid) });
      }),
    transaction: (work) => guarded(() => committed(db.transaction(work).immediate())),
    onCommit: (listener) => {
      listeners.push(listener);
    },
    checkpoint: () => {
      guarded(() => db.pragma('wal_checkpoint(PASSIVE)'));
    },
    copyTo: async (file) => {
      try {
        await db.backup(file);
      } catch (error) {
        throw asAppError(error);
      }
    },
    close: () => {
      db.close();
    },
  };
}
