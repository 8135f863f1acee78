export type SqlValue = string | number | null;
export type Sql = Record<string, SqlValue>;

/**
 * The shared connection to the catalog database. Calls are synchronous, because statements are short. The repositories of the domains
 * contain the SQL. A function documented as joining the caller's transaction must be called inside {@link Catalog.transaction}.
 */
export interface Catalog {
  /** Returns the rows of a query with named parameters. */
  all<Row>(sql: string, parameters?: Sql): Row[];
  /** Returns the first row, or undefined. */
  find<Row>(sql: string, parameters?: Sql): Row | undefined;
  /** Runs a statement and returns the number of changed rows and the last row id. */
  run(sql: string, parameters?: Sql): { changes: number; last_id: number };
  /** Runs a function in a transaction, which rolls back if the function throws. Calls can be nested. */
  transaction<T>(work: () => T): T;
  /** Calls the listener synchronously after each commit. The listener must not use the catalog. */
  onCommit(listener: () => void): void;
  /** Whether a transaction is open. Rows read during a transaction may still be rolled back. */
  isInTransaction(): boolean;
  /** Moves commits from the write-ahead log into the database file, so that copying this one file is enough. */
  checkpoint(): void;
  /** Writes a consistent copy to a file, a few pages at a time. */
  copyTo(file: string): Promise<void>;
  close(): void;
}

/** State in which the catalog was found when it was opened. */
export type CatalogOrigin =
  | { kind: 'kept' }
  /** The catalog did not exist, or was never used. */
  | { kind: 'new' }
  /**
   * The catalog was damaged and moved to `set_aside`, or missing (null). Its copy of `copied_at` replaced it; null if no copy existed and an
   * empty catalog was created.
   */
  | { kind: 'replaced'; set_aside: string | null; copied_at: string | null };
