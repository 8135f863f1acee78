import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';

/** A name that a user gave to a cluster. */
export interface ClusterNameRow {
  name_id: number;
  name: string;
  /** Rows of some items of the cluster when it was named. */
  members: Int32Array;
}

/** The names that users gave to clusters: [Note: Names of clusters]. */
export class ClusterNameRepository {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  list(entityType: EntityType, level: number): ClusterNameRow[] {
    return this.#db
      .prepare<[string, number], { name_id: number; name: string; members: Buffer }>(
        'SELECT name_id, name, members FROM cluster_name WHERE entity_type = ? AND level = ? ORDER BY name_id',
      )
      .all(entityType, level)
      .map((row) => ({ ...row, members: new Int32Array(new Uint8Array(row.members).buffer) }));
  }

  insert(name: { entity_type: EntityType; level: number; name: string; members: Int32Array }): void {
    const { buffer, byteOffset, byteLength } = name.members;
    this.#db
      .prepare('INSERT INTO cluster_name (entity_type, level, name, members) VALUES (?, ?, ?, ?)')
      .run(name.entity_type, name.level, name.name, new Uint8Array(buffer, byteOffset, byteLength));
  }

  delete(nameId: number): void {
    this.#db.prepare<[number]>('DELETE FROM cluster_name WHERE name_id = ?').run(nameId);
  }
}
