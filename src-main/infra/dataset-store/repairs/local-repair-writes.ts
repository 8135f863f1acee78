import type Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { BoxResult } from '../../../core/ports/boxes.ts';
import type { Damage, InspectionDepth } from '../../../core/ports/damage.ts';
import type { ImageToEnrich, ObjectsToEnrich } from '../../../core/ports/enrichment.ts';
import type { ImageResult } from '../../../core/ports/local-jobs.ts';
import type { RepairWrites } from '../../../core/ports/repairs.ts';
import {
  EMBEDDING_SPACES,
  type EmbeddingSpace,
  type SpaceVectors,
  type VectorSpace,
} from '../../../core/ports/vector-space.ts';
import { asyncTransaction } from '../../sqlite/async-transaction.ts';
import type { Answered } from '../../threads/answered.ts';
import { objectsByImage } from '../annotations/objects-by-image.ts';
import type { DataVersions } from '../columns/data-versions.ts';
import { inspectGeneration } from '../disk/inspect-generation.ts';
import { resolveLocation } from '../disk/locations.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';
import { REPAIRED_END, type ThumbnailPacks } from '../disk/thumbnail-packs.ts';
import type { ModelResultRepository } from '../enrichment/model-result.repository.ts';
import type { Projections } from '../map/projections.ts';
import type { IndexReader } from '../vectors/index-reader.ts';
import type { VectorSpaces } from '../vectors/vector-spaces.ts';
import type { LostPartRepository } from './lost-part.repository.ts';

interface Parts {
  db: Database.Database;
  meta: MetaRepository;
  lost: LostPartRepository;
  results: ModelResultRepository;
  vectors: VectorSpaces;
  thumbnails: Record<EntityType, ThumbnailPacks>;
  index: IndexReader;
  projections: Projections;
  versions: DataVersions;
  folder: string;
  dataFolder: string;
}

/** The repaired data of a row. */
interface Made {
  thumbnail: Uint8Array;
  vectors: SpaceVectors;
}

/** Finds damaged data in a generation, and replaces it with recomputed data. Rows keep their numbers. */
export class LocalRepairWrites implements Answered<RepairWrites> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async findDamage(depth: InspectionDepth, looks: VectorSpace): Promise<Damage[]> {
    const { db, vectors, index, projections, lost, versions } = this.#parts;
    for (const entityType of ENTITY_TYPES) vectors.fix('looks', entityType, looks);
    const damages = await inspectGeneration(this.#parts, depth);
    // Done before the transaction, so that readers which reload the vectors find no damaged ones.
    for (const damage of damages) {
      if (damage.part !== 'vectors') continue;
      const collection = vectors.of(damage.space, damage.entity_type);
      await collection.reserve(damage.rows.at(-1)?.to ?? 0);
      for (const { from, to } of damage.rows) {
        await collection.setAside(Int32Array.from({ length: to - from }, (_, at) => from + at));
      }
    }
    db.transaction(() => {
      for (const damage of damages) {
        const { entity_type } = damage;
        if (damage.part === 'index') index.forget(damage.space, entity_type);
        if (damage.part === 'projection') projections.forget(damage.space, entity_type);
        if (damage.part !== 'vectors' && damage.part !== 'thumbnails') continue;
        const part = damage.part === 'vectors' ? damage.space : 'thumbnail';
        for (const range of damage.rows) lost.add(entity_type, part, range);
      }
      if (damages.some(({ part }) => part === 'vectors')) versions.noteVectors();
    })();
    return damages;
  }

  countLost(): number {
    return this.#parts.lost.count();
  }

  listLostItems(afterRow: number, limit: number): ImageToEnrich[] {
    const { lost, dataFolder } = this.#parts;
    return lost.listImages(afterRow, limit).map((image) => ({
      row: image.row,
      media_id: image.media_id,
      path: resolveLocation(dataFolder, image, image.location),
    }));
  }

  async saveItems(images: ImageResult[]): Promise<void> {
    const { lost, results } = this.#parts;
    await this.#repair('IMAGES', async (repair) => {
      for (const image of images) {
        const before = lost.contentOf(image.key);
        if (!image.ok || !before) continue;
        if (image.content_hash !== before.content_hash) {
          this.#readAgain(before.file_id);
          continue;
        }
        const { failure } = image;
        if (failure) results.addFailure(before.media_id, failure.model_id, failure.reason);
        await repair(image.key, image, failure !== undefined);
      }
    });
  }

  listLostObjects(afterRow: number, limit: number): { images: ObjectsToEnrich[]; last_row: number | null } {
    return objectsByImage(this.#parts.lost.listObjects(afterRow, limit), this.#parts.dataFolder);
  }

  async saveObjects(objects: BoxResult[]): Promise<void> {
    await this.#repair('OBJECTS', async (repair) => {
      for (const object of objects) if (object.ok) await repair(object.key, object, object.failure !== undefined);
    });
  }

  async #repair(
    entityType: EntityType,
    work: (repair: (row: number, made: Made, hasFailed: boolean) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { db, meta, thumbnails, versions } = this.#parts;
    const packs = thumbnails[entityType];
    const before = packs.position();
    try {
      await asyncTransaction(db, async () => {
        await work((row, made, hasFailed) => this.#repairRow(entityType, row, made, hasFailed));
        meta.set(REPAIRED_END[entityType], packs.position());
        versions.noteVectors();
      });
    } catch (error) {
      packs.rewind(before);
      throw error;
    }
  }

  /**
   * Marks a file to be read again, and stops the use of all indexes: the content gets a new row, which they do not cover. Joins the
   * caller's transaction.
   */
  #readAgain(fileId: number): void {
    const { lost, index } = this.#parts;
    lost.readAgain(fileId);
    for (const space of EMBEDDING_SPACES) for (const entityType of ENTITY_TYPES) index.forget(space, entityType);
  }

  /** @param hasFailed Whether the `meaning` encoder failed on the item, as it did originally. */
  async #repairRow(
    entityType: EntityType,
    row: number,
    { thumbnail, vectors }: Made,
    hasFailed: boolean,
  ): Promise<void> {
    const { lost, thumbnails } = this.#parts;
    for (const part of lost.partsOf(entityType, row)) {
      if (part === 'thumbnail') lost.moveThumbnail(entityType, row, thumbnails[entityType].append(thumbnail));
      else if (!(await this.#repairVector(part, entityType, row, vectors[part], hasFailed && part === 'meaning')))
        continue;
      lost.delete(entityType, row, part);
    }
  }

  /** @returns False if there is no vector to replace the damaged one. */
  async #repairVector(
    space: EmbeddingSpace,
    entityType: EntityType,
    row: number,
    made: Float32Array | undefined,
    hasFailed: boolean,
  ): Promise<boolean> {
    if (!made && !hasFailed) return false;
    const collection = this.#parts.vectors.of(space, entityType);
    const vector = made ?? new Float32Array(collection.dim);
    if (!(await collection.wasStored(row, vector))) this.#parts.index.forget(space, entityType);
    await collection.upsert(Int32Array.of(row), vector);
    return true;
  }
}
