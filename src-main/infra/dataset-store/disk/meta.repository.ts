import type Database from 'better-sqlite3';
import { onFirstUse } from '../../sqlite/on-first-use.ts';

/** Small facts of one dataset: JSON values by name. */
export class MetaRepository {
  readonly #db: Database.Database;
  /** Runs many times per call, so it is prepared once. */
  readonly #select: () => Database.Statement<[string], { value: string }>;
  /** Facts read since {@link hold}. */
  #held: Map<string, unknown> | undefined;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#select = onFirstUse(() => db.prepare('SELECT value FROM meta WHERE key = ?'));
  }

  /** Caches each fact from its first read until {@link release}. Facts do not change within one read transaction. */
  hold(): void {
    this.#held = new Map();
  }

  release(): void {
    this.#held = undefined;
  }

  get<T>(key: string): T | undefined {
    if (this.#held?.has(key)) return this.#held.get(key) as T | undefined;
    const row = this.#select().get(key);
    const value = row && (JSON.parse(row.value) as T);
    this.#held?.set(key, value);
    return value;
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
