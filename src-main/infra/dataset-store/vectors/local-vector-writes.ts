import type Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { IndexEntry, IndexFiles } from '../../../core/ports/index-files.ts';
import type { EmbeddingSpace, VectorSpace } from '../../../core/ports/vector-space.ts';
import type { VectorWrites } from '../../../core/ports/vectors.ts';
import type { Answered } from '../../threads/answered.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { ThumbnailPacks } from '../disk/thumbnail-packs.ts';
import type { VectorSpaces } from '../disk/vector-spaces.ts';
import type { IndexReader } from '../read/index-reader.ts';
import type { LiveRows } from '../read/live-rows.ts';
import type { WriterRows } from '../write/writer-rows.ts';

interface Parts {
  db: Database.Database;
  rows: Pick<WriterRows, 'annotatedObjects' | 'lost'>;
  vectors: VectorSpaces;
  index: IndexReader;
  live: LiveRows;
  thumbnails: Record<EntityType, ThumbnailPacks>;
  /** Number of rows, living or not. */
  countRows: (entityType: EntityType) => number;
}

/** Opens spaces and publishes their indexes. */
export class LocalVectorWrites implements Answered<VectorWrites> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  openSpace(space: EmbeddingSpace, made: VectorSpace): void {
    const { rows, vectors, countRows } = this.#parts;
    for (const entityType of ENTITY_TYPES) {
      if (vectors.find(space, entityType) !== undefined) continue;
      vectors.fix(space, entityType, made);
      // Existing rows have no vector in this space: the next reindex computes it.
      const nRows = countRows(entityType);
      if (nRows === 0) continue;
      vectors.of(space, entityType).extendTo(nRows);
      rows.lost.add(entityType, space, { from: 0, to: nRows });
    }
  }

  prepareIndex(space: EmbeddingSpace, entityType: EntityType): IndexFiles {
    const { index, thumbnails, countRows } = this.#parts;
    const vectors = this.#parts.vectors.of(space, entityType);
    vectors.sync();
    for (const packs of Object.values(thumbnails)) packs.sync();
    const count = countRows(entityType);
    return {
      ...index.nextFileNames(space, entityType),
      vectors_folder: vectors.folder,
      dim: vectors.dim,
      count,
      dead_rows: this.#deadRows(entityType, count),
      published: index.published(space, entityType),
    };
  }

  publishIndex(entries: IndexEntry[]): void {
    const { db, rows, index, vectors, live } = this.#parts;
    db.transaction(() => {
      for (const entry of entries) index.publish(entry);
      if (entries.some(({ space }) => space === 'meaning')) vectors.settleMeaning();
      if (rows.annotatedObjects.removeReplaced()) live.noteChange();
    })();
  }

  /** Rows that are dead once an index of `count` rows is published. */
  #deadRows(entityType: EntityType, count: number): number[] {
    const { rows, live } = this.#parts;
    const replaced = entityType === 'OBJECTS' ? rows.annotatedObjects.listReplaced() : [];
    return [...live.read(entityType, count).without(RowSet.of(count, replaced)).not().toRows()];
  }
}
