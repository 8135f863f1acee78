import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { entityTable } from '../disk/entity-tables.ts';
import type { DataVersions } from './data-versions.ts';

/** SQL that selects living rows: rows of items or objects that exist. */
export const LIVING: Record<EntityType, string> = {
  IMAGES: `SELECT media.row FROM media JOIN file USING (file_id) WHERE state = 'done'`,
  OBJECTS: `SELECT object.row FROM object JOIN media USING (media_id) JOIN file USING (file_id) WHERE state = 'done'`,
};

/** SQL that selects dead rows. It starts from their files, because few files are affected. */
const DEAD: Record<EntityType, string> = {
  IMAGES: `SELECT media.row FROM file CROSS JOIN media USING (file_id) WHERE state <> 'done'`,
  OBJECTS: `SELECT object.row FROM file CROSS JOIN media USING (file_id) CROSS JOIN object USING (media_id) WHERE state <> 'done'`,
};

/**
 * Finds the rows of vectors that belong to an existing item. The other rows belong to files that are missing or became unusable, to
 * replaced content, or to discarded batches.
 */
export class LiveRows {
  readonly #db: Database.Database;
  readonly #versions: DataVersions;

  constructor(db: Database.Database, versions: DataVersions) {
    this.#db = db;
    this.#versions = versions;
  }

  /** Changes whenever indexed rows may have died or come back. */
  get version(): number {
    return this.#versions.rows;
  }

  noteChange(): void {
    this.#versions.noteRows();
  }

  /**
   * Returns the living rows below `count`. Nearly all rows are living, so the dead ones are listed: reading a row costs ten times as much
   * as counting it.
   */
  read(entityType: EntityType, count: number): RowSet {
    const dead = this.#db.prepare<[], number>(DEAD[entityType]).pluck().all();
    return this.#present(entityType, count).without(RowSet.of(count, dead));
  }

  /** Returns the rows that an item or object has. The previous rows of replaced content belong to none. */
  #present(entityType: EntityType, count: number): RowSet {
    const table = entityTable(entityType);
    const rows = this.#db
      .prepare<[], { n: number; end: number }>(
        `SELECT (SELECT count(*) FROM ${table}) AS n, (SELECT coalesce(max(row) + 1, 0) FROM ${table}) AS end`,
      )
      .get();
    if (rows?.n === rows?.end) return RowSet.where(count, (row) => row < (rows?.end ?? 0));
    return RowSet.of(count, this.#db.prepare<[], number>(`SELECT row FROM ${table}`).pluck().all());
  }
}
