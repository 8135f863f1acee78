import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import { FilledByPieces } from '../columns/filled-by-pieces.ts';
import { entityTable } from '../disk/entity-tables.ts';
import { TextColumn } from './text-column.ts';

const CAPTIONS: Record<EntityType, string> = {
  IMAGES: 'SELECT row, caption FROM media CROSS JOIN caption USING (media_id) WHERE row >= ? AND row < ?',
  OBJECTS: 'SELECT row, caption FROM object WHERE row >= ? AND row < ? AND caption IS NOT NULL',
};

/** Maximum number of bytes of texts per page: those of a few hundred thousand items. */
const PAGE_BYTES = 2 ** 24;

/** Captions, with the row of each; a row may have several captions. */
export interface CaptionsOfRows {
  texts: TextColumn;
  rowOf: number[];
}

/** The captions of items and of objects. */
export class CaptionTexts {
  readonly #db: Database.Database;
  readonly #kept: Record<EntityType, FilledByPieces<CaptionsOfRows[]>>;

  constructor({ db, versions }: { db: Database.Database; versions: DataVersions }) {
    this.#db = db;
    const pagesOf = (entityType: EntityType) =>
      new FilledByPieces<CaptionsOfRows[]>({
        state: () => `${versions.rows} ${versions.annotations}`,
        empty: () => [],
        endRow: () => this.#endRow(entityType),
        fill: (pages, from, to) => this.#read(entityType, from, to, pages),
      });
    this.#kept = { IMAGES: pagesOf('IMAGES'), OBJECTS: pagesOf('OBJECTS') };
  }

  /**
   * Returns at least the captions of the rows from `first` on. Only complete results are cached, because results for the last rows are used
   * once.
   */
  of(entityType: EntityType, first: number): readonly CaptionsOfRows[] {
    const kept = this.#kept[entityType];
    if (first === 0 || kept.isBegun) return kept.whole();
    const pages: CaptionsOfRows[] = [];
    this.#read(entityType, first, this.#endRow(entityType), pages);
    return pages;
  }

  bringIn(entityType: EntityType): Generator<void> {
    return this.#kept[entityType].bringIn();
  }

  /** Appends the captions of the rows `from` … `to` - 1 to the last page, and to new pages when it is full. */
  #read(entityType: EntityType, from: number, to: number, pages: CaptionsOfRows[]): void {
    const all = this.#db
      .prepare<[number, number], [row: number, caption: string]>(CAPTIONS[entityType])
      .raw()
      .iterate(from, to);
    for (const [row, caption] of all) {
      let page = pages.at(-1);
      if (!page || page.texts.size >= PAGE_BYTES) {
        page = { texts: new TextColumn(), rowOf: [] };
        pages.push(page);
      }
      page.texts.add(caption);
      page.rowOf.push(row);
    }
  }

  #endRow(entityType: EntityType): number {
    const sql = `SELECT coalesce(max(row) + 1, 0) FROM ${entityTable(entityType)}`;
    return this.#db.prepare<[], number>(sql).pluck().get() ?? 0;
  }
}
