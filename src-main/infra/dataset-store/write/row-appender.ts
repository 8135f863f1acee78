import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { SpaceVectors } from '../../../core/ports/vector-space.ts';
import type { ThumbnailPacks, ThumbnailSlot } from '../disk/thumbnail-packs.ts';
import type { VectorSpaces } from '../disk/vector-spaces.ts';
import type { TextRepository } from '../rows/text.repository.ts';

interface Described {
  thumbnail: Uint8Array;
  vectors: SpaceVectors;
}

/** Gives what was described the next row, and its thumbnail a place. */
export type AddRow = (described: Described) => { row: number; slot: ThumbnailSlot };

interface Parts {
  db: Database.Database;
  entity_type: EntityType;
  vectors: VectorSpaces;
  texts: TextRepository;
  thumbnails: ThumbnailPacks;
  /** One past the highest row. */
  countRows: () => number;
  /** The end of the thumbnails that rows point to. */
  thumbnailEnd: () => { pack: number; end: number };
}

/**
 * The one way in which items, and objects, are added: thumbnails and vectors are written before the transaction that makes their rows
 * count commits. What a transaction that failed left in those files lies past the last row and is overwritten.
 */
export class RowAppender {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Runs `work` in a transaction; the rows that it adds follow each other. */
  append(work: (add: AddRow) => void): void {
    const { db, entity_type, vectors, texts, thumbnails, countRows } = this.#parts;
    const thumbnailsBefore = thumbnails.position();
    try {
      db.transaction(() => {
        const firstRow = countRows();
        const added: Described[] = [];
        work((described) => {
          added.push(described);
          return { row: firstRow + added.length - 1, slot: thumbnails.append(described.thumbnail) };
        });
        vectors.writeRows(entity_type, firstRow, added);
        texts.refresh();
      })();
    } catch (error) {
      thumbnails.rewind(thumbnailsBefore);
      throw error;
    }
  }

  /** Lets go of thumbnails that no row points to any more. */
  rewind(): void {
    this.#parts.thumbnails.rewind(this.#parts.thumbnailEnd());
  }
}
