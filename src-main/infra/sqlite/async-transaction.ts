import type Database from 'better-sqlite3';

/**
 * Runs work that waits for something in a transaction, which is rolled back when the work fails. For threads that answer one call after the
 * other: nothing else may use the connection until the work is done.
 */
export async function asyncTransaction<Value>(db: Database.Database, work: () => Promise<Value>): Promise<Value> {
  db.exec('BEGIN IMMEDIATE');
  try {
    const value = await work();
    db.exec('COMMIT');
    return value;
  } catch (error) {
    // A full disk ends a transaction by itself.
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
