import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { asAppError, openDatabase } from '../sqlite/open-database.ts';
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
  close(): void;
}

/** @throws AppError `unavailable` when the folder was written by a newer version. */
export function openCatalog(dataFolder: string): Catalog {
  const db = openDatabase(join(dataFolder, 'catalog.db'), catalogMigrations);
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

  return {
    all: <Row>(sql: string, parameters: Sql = {}) => guarded(() => prepare(sql).all(parameters) as Row[]),
    find: <Row>(sql: string, parameters: Sql = {}) => guarded(() => prepare(sql).get(parameters) as Row | undefined),
    run: (sql, parameters = {}) =>
      guarded(() => {
        const { changes, lastInsertRowid } = prepare(sql).run(parameters);
        return { changes, last_id: Number(lastInsertRowid) };
      }),
    transaction: (work) => guarded(() => db.transaction(work).immediate()),
    close: () => {
      db.close();
    },
  };
}
