import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import { entityTable } from '../disk/entity-tables.ts';
import type { DataVersions } from './data-versions.ts';
import { TextColumn } from './text-column.ts';

const CAPTIONS: Record<EntityType, string> = {
  IMAGES: 'SELECT row, caption FROM media CROSS JOIN caption USING (media_id) WHERE row >= ? AND row < ?',
  OBJECTS: 'SELECT row, caption FROM object WHERE row >= ? AND row < ? AND caption IS NOT NULL',
};

/** Texts of a page at most, in bytes: those of a few hundred thousand items. */
const PAGE_BYTES = 2 ** 24;
/** Rows whose captions are read before others may go on: some milliseconds of work. */
const ROWS_OF_A_PIECE = 8192;

/** Captions, and the row that each is of; a row may have several. */
export interface CaptionsOfRows {
  texts: TextColumn;
  rowOf: number[];
}

/** Pages with the captions of the rows below `end`. */
interface Kept {
  state: string;
  pages: CaptionsOfRows[];
  end: number;
}

/** The captions of items and of objects, read when they are first asked for; see [Note: Versions of columns]. */
export class CaptionTexts {
  readonly #db: Database.Database;
  readonly #versions: DataVersions;
  readonly #kept = new Map<EntityType, Kept>();

  constructor({ db, versions }: { db: Database.Database; versions: DataVersions }) {
    this.#db = db;
    this.#versions = versions;
  }

  /** At least those of the rows from `first` on. Only all of them are kept: what came last is asked for once. */
  of(entityType: EntityType, first: number): readonly CaptionsOfRows[] {
    if (first > 0 && this.#kept.get(entityType)?.state !== this.#state()) {
      const pages: CaptionsOfRows[] = [];
      this.#read(entityType, first, this.#endRow(entityType), pages);
      return pages;
    }
    let kept = this.#readPiece(entityType);
    while (kept.isMore) kept = this.#readPiece(entityType);
    return kept.pages;
  }

  /** Reads them piece by piece, unless they change meanwhile: then who asks for them reads them at once. */
  *bringIn(entityType: EntityType): Generator<void> {
    const begun = this.#state();
    while (this.#state() === begun && this.#readPiece(entityType).isMore) yield;
  }

  #readPiece(entityType: EntityType): { pages: readonly CaptionsOfRows[]; isMore: boolean } {
    const state = this.#state();
    const known = this.#kept.get(entityType);
    const kept = known?.state === state ? known : { state, pages: [], end: 0 };
    this.#kept.set(entityType, kept);
    const last = this.#endRow(entityType);
    if (kept.end >= last) return { pages: kept.pages, isMore: false };
    const next = Math.min(last, kept.end + ROWS_OF_A_PIECE);
    this.#read(entityType, kept.end, next, kept.pages);
    kept.end = next;
    return { pages: kept.pages, isMore: true };
  }

  /** Adds the captions of rows from one to before another to the last page, and to new ones where that is full. */
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

  #state(): string {
    return `${this.#versions.rows} ${this.#versions.said}`;
  }
}
