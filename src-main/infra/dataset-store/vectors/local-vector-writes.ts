import type Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { BuiltSpace, PreparedIndex } from '../../../core/ports/index-jobs.ts';
import type { EmbeddingSpace, VectorSpace } from '../../../core/ports/vector-space.ts';
import type { CopyJob, VectorWrites } from '../../../core/ports/vectors.ts';
import type { Answered } from '../../threads/answered.ts';
import type { CopyInput } from '../../vectors/external/copy-job.ts';
import type { IndexInput } from '../../vectors/index-job.ts';
import type { EngineLocation } from '../../vectors/open-engine.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { LiveRows } from '../columns/live-rows.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';
import type { ThumbnailPacks } from '../disk/thumbnail-packs.ts';
import type { WriterRows } from '../thread/writer-rows.ts';
import type { IndexReader } from './index-reader.ts';
import { findSpace, type VectorSpaces } from './vector-spaces.ts';

interface Parts {
  db: Database.Database;
  rows: Pick<WriterRows, 'annotatedObjects' | 'lost'>;
  meta: MetaRepository;
  engine: EngineLocation;
  vectors: VectorSpaces;
  index: IndexReader;
  live: LiveRows;
  thumbnails: Record<EntityType, ThumbnailPacks>;
  /** Number of rows, living or dead. */
  countRows: (entityType: EntityType) => number;
}

/** Opens spaces and publishes their indexes. */
export class LocalVectorWrites implements Answered<VectorWrites> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async openSpace(space: EmbeddingSpace, made: VectorSpace): Promise<void> {
    const { rows, vectors, countRows } = this.#parts;
    for (const entityType of ENTITY_TYPES) {
      if (vectors.find(space, entityType) !== undefined) continue;
      vectors.fix(space, entityType, made);
      // Existing rows have no vector in this space: the next reindex computes them.
      const nRows = countRows(entityType);
      if (nRows === 0) continue;
      await vectors.of(space, entityType).reserve(nRows);
      rows.lost.add(entityType, space, { from: 0, to: nRows });
    }
  }

  async prepareIndex(space: EmbeddingSpace, entityType: EntityType): Promise<PreparedIndex> {
    const { meta, engine, vectors, index, thumbnails, countRows } = this.#parts;
    const made = findSpace(meta, space, entityType);
    if (!made) throw new Error(`the dataset has no vectors of ${space}`);
    await vectors.of(space, entityType).flush();
    for (const packs of Object.values(thumbnails)) packs.sync();
    const published = index.published(space, entityType);
    const version = index.nextVersion(space, entityType);
    const count = countRows(entityType);
    const input: IndexInput = {
      engine,
      space: { space, entity_type: entityType, ...made },
      dead_rows: this.#deadRows(entityType, count),
      published: published && {
        version: published.version,
        count: published.count,
        clusters_file: index.files(space, entityType, published.version).clusters_file,
        default_level: published.default_level,
      },
      ...index.files(space, entityType, version),
    };
    const knownThresholds = published?.linkage_thresholds;
    return { space, entity_type: entityType, version, count, known_thresholds: knownThresholds, input };
  }

  async prepareCopies(): Promise<CopyJob[]> {
    const { meta, engine, vectors, countRows } = this.#parts;
    await vectors.flush();
    return ENTITY_TYPES.flatMap((entityType) =>
      vectors.spacesOf(entityType).flatMap((space) => {
        const made = findSpace(meta, space, entityType);
        const input: CopyInput | undefined = made && { engine, space: { space, entity_type: entityType, ...made } };
        return input ? [{ count: countRows(entityType), input }] : [];
      }),
    );
  }

  deleteCopies(): Promise<void> {
    return this.#parts.vectors.deleteCopies();
  }

  async publishIndex(built: BuiltSpace[]): Promise<void> {
    const { db, rows, index, vectors, live } = this.#parts;
    db.transaction(() => {
      for (const one of built) index.publish(one, one.built);
      for (const { space, entity_type } of built) if (space === 'meaning') vectors.settleMeaning(entity_type);
      if (rows.annotatedObjects.removeReplaced()) live.noteChange();
    })();
    // Readers may still be loading the previous version.
    for (const { space, entity_type, version } of built) await vectors.of(space, entity_type).dropIndex(version - 2);
  }

  /** Returns the rows that will be dead once an index of `count` rows is published. */
  #deadRows(entityType: EntityType, count: number): number[] {
    const { rows, live } = this.#parts;
    const replaced = entityType === 'OBJECTS' ? rows.annotatedObjects.listReplaced() : [];
    return [...live.read(entityType, count).without(RowSet.of(count, replaced)).not().toRows()];
  }
}
