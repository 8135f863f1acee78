import type Database from 'better-sqlite3';

/** Small facts of one dataset as JSON by name. */
export class MetaRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  get<T>(key: string): T | undefined {
    const row = this.#db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?').get(key);
    return row && (JSON.parse(row.value) as T);
  }

  set(key: string, value: unknown): void {
    this.#db
      .prepare<[string, string]>(
        'INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      )
      .run(key, JSON.stringify(value));
  }

  delete(key: string): void {
    this.#db.prepare<[string]>('DELETE FROM meta WHERE key = ?').run(key);
  }
}
