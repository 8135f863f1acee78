import type Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';

/** Number of documents computed at a time. */
const PAGE_ROWS = 1000;

const NAMES: Record<EntityType, string> = { IMAGES: 'item', OBJECTS: 'object' };

/** The full-text documents of items and objects: see [Note: Full text]. */
export class TextRepository {
  readonly #db: Database.Database;
  readonly #pages: (() => number)[];

  constructor(db: Database.Database) {
    this.#db = db;
    this.#pages = ENTITY_TYPES.map((entityType) => this.#page(NAMES[entityType]));
  }

  /** Brings all documents up to date with the rows. Joins the caller's transaction. */
  refresh(): void {
    for (const page of this.#pages) while (page() > 0);
  }

  /** Like {@link refresh}, but in its own transactions, one per page. */
  refreshByPages(): void {
    for (const page of this.#pages) while (this.#db.transaction(page)() > 0);
  }

  /**
   * Prepares the statements that compute the documents of the lowest due rows.
   * @returns A function that computes a page and returns the number of its documents.
   */
  #page(name: string): () => number {
    const due = this.#db.prepare<[], { n: number; last: number | null }>(
      `SELECT count(*) AS n, max(row) AS last FROM (SELECT row FROM ${name}_text_due ORDER BY row LIMIT ${PAGE_ROWS})`,
    );
    const chosen = `IN (SELECT row FROM ${name}_text_due WHERE row <= ?)`;
    const columns = 'caption, file_name, folder, id';
    const steps = [
      `DELETE FROM ${name}_text WHERE rowid ${chosen}`,
      `INSERT INTO ${name}_text (rowid, ${columns}) SELECT row, ${columns} FROM ${name}_document WHERE row ${chosen} ORDER BY row`,
      `DELETE FROM ${name}_text_due WHERE row <= ?`,
    ].map((sql) => this.#db.prepare<[number]>(sql));
    return () => {
      const { n, last } = due.get() ?? { n: 0, last: null };
      if (last !== null) for (const step of steps) step.run(last);
      return n;
    };
  }
}
