import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { message } from '../../contract/messages.ts';
import type { Catalog, CatalogOrigin, Sql } from '../../core/ports/catalog.ts';
import { setAside } from '../set-aside.ts';
import { emptyLog } from '../sqlite/empty-log.ts';
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

export interface OpenedCatalog {
  catalog: Catalog;
  origin: CatalogOrigin;
}

/**
 * Opens the catalog. A damaged or missing one is replaced by its copy, if there is a sound copy, or by an empty catalog.
 * @throws AppError `unavailable` when the folder was written by a newer version.
 */
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

/** Moves a damaged database to the recovered files. @returns The new path of the file. */
async function setDatabaseAside(dataFolder: string, file: string): Promise<string> {
  let movedTo = '';
  for (const part of databaseParts(file).toReversed()) {
    if (existsSync(part)) movedTo = await setAside(dataFolder, part, 'catalog');
  }
  return movedTo;
}

/** Opens a copy that {@link Catalog.copyTo} wrote, for reading and writing. */
export function openCatalogCopy(file: string): Catalog {
  return createCatalog(openDatabase(file, catalogMigrations));
}

/** Opens a catalog. Returns undefined when its pages are inconsistent or its tables are not Vitrine's. */
function openUnlessDamaged(file: string): { db: Database.Database; isNew: boolean } | undefined {
  try {
    return openSound(file);
  } catch (error) {
    if (error instanceof DamagedDatabase) return undefined;
    throw error;
  }
}

/** Opens and checks a catalog. @throws DamagedDatabase when its pages are inconsistent or its tables are not Vitrine's. */
function openSound(file: string): { db: Database.Database; isNew: boolean } {
  const db = openDatabase(file, catalogMigrations);
  try {
    assertSound(db);
    // A catalog that was ever used contains a user: its owner.
    return { db, isNew: db.prepare('SELECT 1 FROM user').get() === undefined };
  } catch (error) {
    db.close();
    throw isSqliteError(error) ? new DamagedDatabase(message('database_damaged', { file: 'catalog.db' })) : error;
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
      guarded(() => emptyLog(db));
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
