import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { setAside } from '../set-aside.ts';
import {
  asAppError,
  assertSound,
  DamagedDatabase,
  databaseParts,
  isSqliteError,
  openDatabase,
} from '../sqlite/open-database.ts';
import { takeCatalogCopy } from './catalog-copy.ts';
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
  /** Whether what is read now may still be taken back. */
  isInTransaction(): boolean;
  /** Brings what was committed from the write-ahead log into the file itself, so that the file alone is worth copying. */
  checkpoint(): void;
  /** Writes a consistent copy to a file, a few pages at a time. */
  copyTo(file: string): Promise<void>;
  close(): void;
}

/** How the catalog was found. */
export type CatalogOrigin =
  | { kind: 'kept' }
  /** There was none, or one that nothing was in. */
  | { kind: 'new' }
  /** It was damaged, and is out of the way at `set_aside`, or gone, null. The copy that was kept beside it took its place if there was one. */
  | { kind: 'replaced'; set_aside: string | null; copied_at: string | null };

export interface OpenedCatalog {
  catalog: Catalog;
  origin: CatalogOrigin;
}

/** @throws AppError `unavailable` when the folder was written by a newer version. */
export async function openCatalog(dataFolder: string): Promise<OpenedCatalog> {
  const file = join(dataFolder, 'catalog.db');
  const { db, isNew } = openUnlessDamaged(file) ?? {};
  if (db && !isNew) return { catalog: createCatalog(db), origin: { kind: 'kept' } };
  db?.close();
  const aside = db ? null : await setDatabaseAside(dataFolder, file);
  const copiedAt = takeCatalogCopy(dataFolder, file);
  if (copiedAt !== null) {
    const copy = openUnlessDamaged(file);
    const origin: CatalogOrigin = { kind: 'replaced', set_aside: aside, copied_at: copiedAt };
    if (copy) return { catalog: createCatalog(copy.db), origin };
    await setDatabaseAside(dataFolder, file);
  }
  const catalog = createCatalog(openDatabase(file, catalogMigrations));
  return { catalog, origin: db ? { kind: 'new' } : { kind: 'replaced', set_aside: aside, copied_at: null } };
}

/** @returns Where the file is now. */
async function setDatabaseAside(dataFolder: string, file: string): Promise<string> {
  let movedTo = '';
  for (const part of databaseParts(file).toReversed()) {
    if (existsSync(part)) movedTo = await setAside(dataFolder, part, 'catalog');
  }
  return movedTo;
}

/** Opens a copy that {@link Catalog.copyTo} wrote, to change what is in it. */
export function openCatalogCopy(file: string): Catalog {
  return createCatalog(openDatabase(file, catalogMigrations));
}

/** Undefined where its pages contradict each other or its tables are not ours. */
function openUnlessDamaged(file: string): { db: Database.Database; isNew: boolean } | undefined {
  try {
    return openSound(file);
  } catch (error) {
    if (error instanceof DamagedDatabase) return undefined;
    throw error;
  }
}

/** @throws DamagedDatabase when its pages contradict each other or its tables are not ours. */
function openSound(file: string): { db: Database.Database; isNew: boolean } {
  const db = openDatabase(file, catalogMigrations);
  try {
    assertSound(db);
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
    isInTransaction: () => db.inTransaction,
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
