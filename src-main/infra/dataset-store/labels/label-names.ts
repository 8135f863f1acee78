import type Database from 'better-sqlite3';

/**
 * Finds label names by the words in them, with the same search as documents. There are few names, so the index is rebuilt when they change.
 */
export class LabelNames {
  readonly #db: Database.Database;
  #indexed: ReadonlySet<string> = new Set();

  constructor(db: Database.Database) {
    this.#db = db;
    db.exec(`CREATE VIRTUAL TABLE temp.label_name USING fts5(name, tokenize = 'porter unicode61 remove_diacritics 2')`);
  }

  /** @param match FTS5 match expression. */
  find(names: readonly string[], match: string): string[] {
    this.#index(names);
    const known = new Set(names);
    const found = this.#db
      .prepare<[string], string>('SELECT name FROM temp.label_name WHERE label_name MATCH ?')
      .pluck()
      .all(match);
    return found.filter((name) => known.has(name));
  }

  #index(names: readonly string[]): void {
    const missing = names.filter((name) => !this.#indexed.has(name));
    if (missing.length === 0) return;
    const add = this.#db.prepare<[string]>('INSERT INTO temp.label_name VALUES (?)');
    for (const name of missing) add.run(name);
    this.#indexed = new Set([...this.#indexed, ...missing]);
  }
}
