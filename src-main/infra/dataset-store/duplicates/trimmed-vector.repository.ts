import type Database from 'better-sqlite3';
import type { TrimmedVector } from '../../duplicates/trimmed-file.ts';

/** What items with a border look like without it. */
export class TrimmedVectorRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  set(row: number, vector: Int8Array): void {
    this.#db
      .prepare<[number, Buffer]>(
        'INSERT INTO trimmed_vector VALUES (?, ?) ON CONFLICT (row) DO UPDATE SET vector = excluded.vector',
      )
      .run(row, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
  }

  /** Of rows below `count`. */
  *list(count: number): Generator<TrimmedVector> {
    const found = this.#db
      .prepare<[number], [number, Buffer]>('SELECT row, vector FROM trimmed_vector WHERE row < ?')
      .raw()
      .iterate(count);
    for (const [row, { buffer, byteOffset, byteLength }] of found) {
      yield { row, vector: new Int8Array(buffer, byteOffset, byteLength) };
    }
  }

  /** Forgets rows from one on: other items may get them. */
  deleteFrom(row: number): void {
    this.#db.prepare<[number]>('DELETE FROM trimmed_vector WHERE row >= ?').run(row);
  }
}
