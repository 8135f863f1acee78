import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { BLOCK_ROWS, type SetBlock } from './set-block.ts';

/**
 * [Note: Times of tags]
 * A tag has a set of rows for each day on which it was assigned, and for each block of such a set the times of its rows: microseconds since
 * the start of the day, as compressed float64. Rows that were tagged together have equal times, which compress to almost nothing, so an edit
 * of a million rows still writes 31 small blocks. Times of rows that are not in the set have no meaning.
 */
export class TagTimeRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  /** Returns the times of a block, 0 where none is known. */
  read(setId: number, block: number): Float64Array<ArrayBuffer> {
    const found = this.#db
      .prepare<[number, number], Uint8Array>('SELECT times FROM tag_time WHERE set_id = ? AND block = ?')
      .pluck()
      .get(setId, block);
    const times = new Float64Array(BLOCK_ROWS);
    if (found) {
      new Uint8Array(times.buffer).set(inflateRawSync(found, { maxOutputLength: times.byteLength }));
    }
    return times;
  }

  /**
   * Sets the times of the rows of a block. Joins the caller's transaction.
   * @param timeOf Returns the time of a row, in microseconds since the start of the day.
   */
  set({ set_id, block, words }: SetBlock, timeOf: (row: number) => number): void {
    const times = this.read(set_id, block);
    for (const [at, word] of words.entries()) {
      for (let left = word; left !== 0; left &= left - 1) {
        const place = at * 32 + (31 - Math.clz32(left & -left));
        times[place] = timeOf(block * BLOCK_ROWS + place);
      }
    }
    const bytes = deflateRawSync(new Uint8Array(times.buffer), { level: 1 });
    this.#db
      .prepare<[number, number, Uint8Array]>('INSERT OR REPLACE INTO tag_time VALUES (?, ?, ?)')
      .run(set_id, block, bytes);
  }
}
