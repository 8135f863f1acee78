import type Database from 'better-sqlite3';
import type { TrimmedVector } from '../../duplicates/trimmed-file.ts';

/** Appearance embeddings of items with a border, computed without the border. */
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

  /** Lists the vectors of rows below `count`. */
  *list(count: number): Generator<TrimmedVector> {
    const found = this.#db
      .prepare<[number], [number, Buffer]>('SELECT row, vector FROM trimmed_vector WHERE row < ?')
      .raw()
      .iterate(count);
    for (const [row, { buffer, byteOffset, byteLength }] of found) {
      yield { row, vector: new Int8Array(buffer, byteOffset, byteLength) };
    }
  }

  /** Deletes the vectors of rows from `row` on, because these row numbers may be assigned to other items. */
  deleteFrom(row: number): void {
    this.#db.prepare<[number]>('DELETE FROM trimmed_vector WHERE row >= ?').run(row);
  }
}
