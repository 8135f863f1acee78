export type SqlValue = string | number | null;
export type Sql = Record<string, SqlValue>;

/**
 * The shared handle on the catalog database. Statements are short, so each call answers at once. The repositories of the domains hold the
 * SQL; a function that joins its caller's transaction is called inside `transaction`.
 */
export interface Catalog {
  /** Rows of a query with named parameters. */
  all<Row>(sql: string, parameters?: Sql): Row[];
  /** The first row, or undefined. */
  find<Row>(sql: string, parameters?: Sql): Row | undefined;
  /** Runs a statement and returns the number of changed rows and the last row id. */
  run(sql: string, parameters?: Sql): { changes: number; last_id: number };
  /** Runs a function in a transaction: all of its changes commit, or none. Calls can be nested. */
  transaction<T>(work: () => T): T;
  /** Calls the listener synchronously after each commit. The listener must not use the catalog. */
  onCommit(listener: () => void): void;
  /** Whether a transaction is open, so that what is read now may still be rolled back. */
  isInTransaction(): boolean;
  /** Moves commits from the write-ahead log into the database file, so that a copy of that file alone is complete. */
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
