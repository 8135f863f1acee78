import type Database from 'better-sqlite3';

/**
 * Copies everything from the write-ahead log to the database file and empties the log. What is left of a log that is only partly copied or
 * damaged later could hide newer pages of the file. Does not wait: while another connection reads an older state, nothing is emptied.
 * @returns Whether the log is empty.
 */
export function emptyLog(db: Database.Database): boolean {
  const timeout = Number(db.pragma('busy_timeout', { simple: true }));
  db.pragma('busy_timeout = 0');
  try {
    const [result] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return result?.busy === 0;
  } finally {
    db.pragma(`busy_timeout = ${timeout}`);
  }
}
