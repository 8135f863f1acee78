import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { DataVersions } from './data-versions.ts';
import { TextColumn } from './text-column.ts';

const CAPTIONS: Record<EntityType, string> = {
  IMAGES: 'SELECT row, caption FROM media JOIN caption USING (media_id) WHERE row >= ?',
  OBJECTS: 'SELECT row, caption FROM object WHERE row >= ? AND caption IS NOT NULL',
};

/** Texts of a page at most, in bytes: those of a few hundred thousand items. */
const PAGE_BYTES = 2 ** 24;

/** Captions, and the row that each is of; a row may have several. */
export interface CaptionsOfRows {
  texts: TextColumn;
  rowOf: Int32Array;
}

/** The captions of items and of objects, read when they are first asked for; see [Note: Versions of columns]. */
export class CaptionTexts {
  readonly #db: Database.Database;
  readonly #versions: DataVersions;
  readonly #kept = new Map<EntityType, { state: string; pages: CaptionsOfRows[] }>();

  constructor({ db, versions }: { db: Database.Database; versions: DataVersions }) {
    this.#db = db;
    this.#versions = versions;
  }

  /** At least those of the rows from `first` on. Only all of them are kept: what came last is asked for once. */
  of(entityType: EntityType, first: number): readonly CaptionsOfRows[] {
    const state = `${this.#versions.rows} ${this.#versions.said}`;
    const known = this.#kept.get(entityType);
    if (known?.state === state) return known.pages;
    const pages = this.#read(entityType, first);
    if (first === 0) this.#kept.set(entityType, { state, pages });
    return pages;
  }

  #read(entityType: EntityType, first: number): CaptionsOfRows[] {
    const pages: CaptionsOfRows[] = [];
    let texts = new TextColumn();
    let rows: number[] = [];
    const endPage = () => {
      pages.push({ texts, rowOf: Int32Array.from(rows) });
      texts = new TextColumn();
      rows = [];
    };
    const all = this.#db.prepare<[number], [row: number, caption: string]>(CAPTIONS[entityType]).raw().iterate(first);
    for (const [row, caption] of all) {
      rows.push(row);
      texts.add(caption);
      if (texts.size >= PAGE_BYTES) endPage();
    }
    endPage();
    return pages;
  }
}
