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
import type { Answered } from '../../threads/answered.ts';
import { inspectGeneration } from '../disk/inspect-generation.ts';
import { resolveLocation } from '../disk/locations.ts';
import { MENDED_END, type ThumbnailPacks } from '../disk/thumbnail-packs.ts';
import type { VectorSpaces } from '../disk/vector-spaces.ts';
import type { DataVersions } from '../read/data-versions.ts';
import type { IndexReader } from '../read/index-reader.ts';
import type { Projections } from '../read/projections.ts';
import type { LostPartRepository } from '../rows/lost-part.repository.ts';
import type { MetaRepository } from '../rows/meta.repository.ts';
import type { ModelResultRepository } from '../rows/model-result.repository.ts';
import { objectsByImage } from '../write/objects-by-image.ts';

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

/** What was made again of a row. */
interface Made {
  thumbnail: Uint8Array;
  vectors: SpaceVectors;
}

/** Finds what is damaged in a generation, and puts what is made again in its place: rows keep their numbers. */
export class LocalRepairWrites implements Answered<RepairWrites> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  findDamage(depth: InspectionDepth, looks: VectorSpace): Damage[] {
    const { db, vectors, index, projections, lost, versions } = this.#parts;
    for (const entityType of ENTITY_TYPES) vectors.fix('looks', entityType, looks);
    const damages = inspectGeneration(this.#parts, depth);
    // Before it is noted: whoever reads them again meets nothing that is damaged.
    for (const damage of damages) {
      if (damage.part !== 'vectors') continue;
      const segments = vectors.of(damage.space, damage.entity_type);
      segments.extendTo(damage.rows.at(-1)?.to ?? 0);
      for (const { from, to } of damage.rows) for (let row = from; row < to; row += 1) segments.blank(row);
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

  saveItems(images: ImageResult[]): void {
    const { lost, results } = this.#parts;
    this.#mend('IMAGES', (mend) => {
      for (const image of images) {
        const before = lost.contentOf(image.key);
        if (!image.ok || !before) continue;
        if (image.content_hash !== before.content_hash) {
          this.#readAgain(before.file_id);
          continue;
        }
        const { failure } = image;
        if (failure) results.addFailure(before.media_id, failure.model_id, failure.reason);
        mend(image.key, image, failure !== undefined);
      }
    });
  }

  listLostObjects(afterRow: number, limit: number): { images: ObjectsToEnrich[]; last_row: number | null } {
    return objectsByImage(this.#parts.lost.listObjects(afterRow, limit), this.#parts.dataFolder);
  }

  saveObjects(objects: BoxResult[]): void {
    this.#mend('OBJECTS', (mend) => {
      for (const object of objects) if (object.ok) mend(object.key, object, object.failure !== undefined);
    });
  }

  #mend(entityType: EntityType, work: (mend: (row: number, made: Made, hasFailed: boolean) => void) => void): void {
    const { db, meta, thumbnails, versions } = this.#parts;
    const packs = thumbnails[entityType];
    const before = packs.position();
    try {
      db.transaction(() => {
        work((row, made, hasFailed) => this.#mendRow(entityType, row, made, hasFailed));
        meta.set(MENDED_END[entityType], packs.position());
        versions.noteVectors();
      })();
    } catch (error) {
      packs.rewind(before);
      throw error;
    }
  }

  /** Its content gets a row that no index has. Joins the caller's transaction. */
  #readAgain(fileId: number): void {
    const { lost, index } = this.#parts;
    lost.readAgain(fileId);
    for (const space of EMBEDDING_SPACES) for (const entityType of ENTITY_TYPES) index.forget(space, entityType);
  }

  /** @param hasFailed The encoder of meaning can make nothing of it: that is how it was made. */
  #mendRow(entityType: EntityType, row: number, { thumbnail, vectors }: Made, hasFailed: boolean): void {
    const { lost, thumbnails } = this.#parts;
    for (const part of lost.partsOf(entityType, row)) {
      if (part === 'thumbnail') lost.moveThumbnail(entityType, row, thumbnails[entityType].append(thumbnail));
      else if (!this.#mendVector(part, entityType, row, vectors[part], hasFailed && part === 'meaning')) continue;
      lost.delete(entityType, row, part);
    }
  }

  /** @returns False where there is no vector to put in its place. */
  #mendVector(
    space: EmbeddingSpace,
    entityType: EntityType,
    row: number,
    made: Float32Array | undefined,
    hasFailed: boolean,
  ): boolean {
    if (!made && !hasFailed) return false;
    const segments = this.#parts.vectors.of(space, entityType);
    const vector = made ?? new Float32Array(segments.dim);
    if (!segments.isAsWritten(row, vector)) this.#parts.index.forget(space, entityType);
    segments.writeRows(row, vector);
    return true;
  }
}
