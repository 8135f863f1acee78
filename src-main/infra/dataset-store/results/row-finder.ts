import type Database from 'better-sqlite3';

/** Number of rows that are read at once, and of single searches after rows were read in vain. */
const WINDOW_ROWS = 1000;

/**
 * Finds the rows of items by id. Results mostly come in the order of the manifest, which is that of the rows: then the rows after the last one
 * are read at once, in a fifth of the time of single searches.
 */
export class RowFinder {
  readonly #find: Database.Statement<[string], number>;
  readonly #next: Database.Statement<[number, number], [row: number, media_id: string]>;
  #window: { rows: number[]; ids: string[] } = { rows: [], ids: [] };
  /** Place in the window after the item that was found last. */
  #at = 0;
  #nFoundInWindow = 0;
  #nSingle = 0;

  constructor(db: Database.Database) {
    // Answered by the index on the id alone.
    this.#find = db.prepare<[string], number>('SELECT row FROM media WHERE media_id = ?').pluck();
    this.#next = db
      .prepare<[number, number], [number, string]>('SELECT row, media_id FROM media WHERE row > ? ORDER BY row LIMIT ?')
      .raw();
  }

  find(mediaId: string): number | undefined {
    const { rows, ids } = this.#window;
    const known = ids.indexOf(mediaId, this.#at);
    if (known >= 0) {
      this.#at = known + 1;
      this.#nFoundInWindow += 1;
      return rows[known];
    }
    const row = this.#find.get(mediaId);
    if (row !== undefined) this.#readAfter(row);
    return row;
  }

  /** Reads the rows after one, unless most of those read before were in vain: then items come in another order. */
  #readAfter(row: number): void {
    const wasUseful = this.#nFoundInWindow >= this.#window.rows.length / 2;
    this.#nSingle = wasUseful ? this.#nSingle - 1 : WINDOW_ROWS;
    const read = this.#nSingle < 0 ? this.#next.all(row, WINDOW_ROWS) : [];
    this.#window = { rows: read.map(([next]) => next), ids: read.map(([, id]) => id) };
    this.#at = 0;
    this.#nFoundInWindow = 0;
  }
}
