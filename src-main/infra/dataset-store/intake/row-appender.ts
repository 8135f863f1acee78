import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { SpaceVectors } from '../../../core/ports/vector-space.ts';
import { asyncTransaction } from '../../sqlite/async-transaction.ts';
import type { ThumbnailPacks, ThumbnailSlot } from '../disk/thumbnail-packs.ts';
import type { TextRepository } from '../texts/text.repository.ts';
import type { VectorSpaces } from '../vectors/vector-spaces.ts';

interface Described {
  thumbnail: Uint8Array;
  vectors: SpaceVectors;
}

/** Assigns the next row to a described item, and a slot to its thumbnail. */
export type AddRow = (described: Described) => { row: number; slot: ThumbnailSlot };

interface Parts {
  db: Database.Database;
  entity_type: EntityType;
  vectors: VectorSpaces;
  texts: TextRepository;
  thumbnails: ThumbnailPacks;
  /** Returns the row after the highest one. */
  countRows: () => number;
  /** Returns the end position of the thumbnails that rows use. */
  thumbnailEnd: () => { pack: number; end: number };
}

/**
 * The only class that adds items and objects: thumbnails and vectors are stored before the transaction that adds their rows commits. Data
 * stored by a failed transaction is past the last row and is overwritten.
 */
export class RowAppender {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Runs `work` in a transaction that commits after the engine has stored the vectors; the added rows are consecutive. The thread answers
   * one call at a time, so nothing else joins the transaction.
   */
  async append(work: (add: AddRow) => void): Promise<void> {
    const { db, entity_type, vectors, texts, thumbnails, countRows } = this.#parts;
    const thumbnailsBefore = thumbnails.position();
    try {
      await asyncTransaction(db, async () => {
        const firstRow = countRows();
        const added: Described[] = [];
        work((described) => {
          added.push(described);
          return { row: firstRow + added.length - 1, slot: thumbnails.append(described.thumbnail) };
        });
        await vectors.addRows(entity_type, firstRow, added);
        texts.refresh();
      });
    } catch (error) {
      thumbnails.rewind(thumbnailsBefore);
      throw error;
    }
  }

  /** Removes thumbnails past the last row. */
  rewind(): void {
    this.#parts.thumbnails.rewind(this.#parts.thumbnailEnd());
  }
}
