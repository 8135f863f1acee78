import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { emptyLog } from '../../sqlite/empty-log.ts';

/** Interval of looking for changes, in milliseconds. */
const LOOK_MS = 1000;
/** Length from which the log is copied although it is still written. */
const LONG_LOG_BYTES = 2 ** 23;
/** Length in pages at which SQLite itself copies, for work that leaves no time to look. */
const LONGEST_LOG_PAGES = 2 ** 14;

/**
 * Copies what was committed from the write-ahead log to the database file as soon as nothing has changed for a moment. A lost or damaged
 * log then loses only the last changes. SQLite alone copies when the log has become long, but does not empty it: damage in a part that was
 * copied then hides later changes, and puts older pages in front of newer ones.
 */
export class IdleCheckpoints {
  readonly #db: Database.Database;
  readonly #timer: NodeJS.Timeout;
  #seen = 0;
  /** Starts with the log of an earlier process, which has changes that this one did not count. */
  #copied = -1;

  constructor(db: Database.Database) {
    this.#db = db;
    db.pragma(`wal_autocheckpoint = ${LONGEST_LOG_PAGES}`);
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Stops, after copying what is left. */
  close(): void {
    clearInterval(this.#timer);
    this.#copy();
  }

  #look(): void {
    const changes = this.#countChanges();
    const isDue = changes !== this.#copied && (changes === this.#seen || this.#isLong());
    if (isDue && this.#copy()) this.#copied = changes;
    this.#seen = changes;
  }

  /** @returns Whether everything was copied. A full disk or a reader of an older state prevents that for a while. */
  #copy(): boolean {
    if (this.#db.inTransaction) return false;
    try {
      return emptyLog(this.#db);
    } catch {
      // The log still has everything.
      return false;
    }
  }

  #isLong(): boolean {
    return (statSync(`${this.#db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0) > LONG_LOG_BYTES;
  }

  #countChanges(): number {
    return this.#db.prepare<[], number>('SELECT total_changes()').pluck().get() ?? 0;
  }
}
