import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { DataVersions } from './data-versions.ts';

/** Selects the rows of items or objects that are there. */
export const LIVING: Record<EntityType, string> = {
  IMAGES: `SELECT media.row FROM media JOIN file USING (file_id) WHERE state = 'done'`,
  OBJECTS: `SELECT object.row FROM object JOIN media USING (media_id) JOIN file USING (file_id) WHERE state = 'done'`,
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

  /** Those below `count`. */
  read(entityType: EntityType, count: number): RowSet {
    return RowSet.of(count, this.#db.prepare<[], number>(LIVING[entityType]).pluck().iterate());
  }
}
