import type Database from 'better-sqlite3';

/** Number of rows that are read at once. */
const WINDOW_ROWS = 1000;

/**
 * Finds the rows of items by id. Results mostly come in the order of the manifest, which is that of the rows: then the rows after the last one
 * are read at once, in a fifth of the time of single searches.
 */
export class RowFinder {
  readonly #find: Database.Statement<[string], number>;
  readonly #next: Database.Statement<[number, number], { row: number; media_id: string }>;
  #window = new Map<string, number>();
  #nFoundInWindow = WINDOW_ROWS;

  constructor(db: Database.Database) {
    // Answered by the index on the id alone.
    this.#find = db.prepare<[string], number>('SELECT row FROM media WHERE media_id = ?').pluck();
    this.#next = db.prepare('SELECT row, media_id FROM media WHERE row > ? ORDER BY row LIMIT ?');
  }

  find(mediaId: string): number | undefined {
    const known = this.#window.get(mediaId);
    if (known !== undefined) {
      this.#nFoundInWindow += 1;
      return known;
    }
    const row = this.#find.get(mediaId);
    if (row !== undefined) this.#readAfter(row);
    return row;
  }

  /** Reads the rows after one, unless most of those read before were in vain. */
  #readAfter(row: number): void {
    const wasUseful = this.#nFoundInWindow >= this.#window.size / 2;
    this.#window = new Map(
      wasUseful ? this.#next.all(row, WINDOW_ROWS).map((next) => [next.media_id, next.row]) : undefined,
    );
    this.#nFoundInWindow = 0;
  }
}
