import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { entityTable } from '../disk/entity-tables.ts';
import type { DataVersions } from './data-versions.ts';

/** Selects the rows of items or objects that are there. */
export const LIVING: Record<EntityType, string> = {
  IMAGES: `SELECT media.row FROM media JOIN file USING (file_id) WHERE state = 'done'`,
  OBJECTS: `SELECT object.row FROM object JOIN media USING (media_id) JOIN file USING (file_id) WHERE state = 'done'`,
};

/** Selects the rows of the others; from their files on, of which there are few. */
const DEAD: Record<EntityType, string> = {
  IMAGES: `SELECT media.row FROM file CROSS JOIN media USING (file_id) WHERE state <> 'done'`,
  OBJECTS: `SELECT object.row FROM file CROSS JOIN media USING (file_id) CROSS JOIN object USING (media_id) WHERE state <> 'done'`,
};

/**
 * Which rows of vectors stand for an item that is there. The others are of files that are missing or have become unusable, of content
 * that has been replaced, or of batches that were discarded.
 */
export class LiveRows {
  readonly #db: Database.Database;
  readonly #versions: DataVersions;

  constructor(db: Database.Database, versions: DataVersions) {
    this.#db = db;
    this.#versions = versions;
  }

  /** Changes whenever rows that are indexed may have died or come back. */
  get version(): number {
    return this.#versions.rows;
  }

  noteChange(): void {
    this.#versions.noteRows();
  }

  /** Those below `count`. Nearly all are alive, so the dead are listed: a row costs ten times as much to read as to count. */
  read(entityType: EntityType, count: number): RowSet {
    const dead = this.#db.prepare<[], number>(DEAD[entityType]).pluck().all();
    return this.#present(entityType, count).without(RowSet.of(count, dead));
  }

  /** Rows that anything has: no other has the former row of content that was replaced. */
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
