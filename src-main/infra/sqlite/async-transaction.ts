import type Database from 'better-sqlite3';

/**
 * Runs asynchronous work in a transaction, which is rolled back when the work fails. Only for threads that answer calls one after the
 * other:
 * nothing else may use the connection until the work is finished.
 */
export async function asyncTransaction<Value>(db: Database.Database, work: () => Promise<Value>): Promise<Value> {
  db.exec('BEGIN IMMEDIATE');
  try {
    const value = await work();
    db.exec('COMMIT');
    return value;
  } catch (error) {
    // SQLite itself rolls a transaction back when the disk is full.
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
