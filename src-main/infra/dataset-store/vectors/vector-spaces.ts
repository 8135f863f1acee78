import { randomUUID } from 'node:crypto';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { EngineConnection } from '../../../core/ports/external-engine.ts';
import type { VectorCollection, VectorEngine } from '../../../core/ports/vector-engine.ts';
import {
  EMBEDDING_SPACES,
  type EmbeddingSpace,
  type SpaceVectors,
  type VectorSpace,
} from '../../../core/ports/vector-space.ts';
import type { EngineKind, EngineLocation } from '../../vectors/open-engine.ts';
import type { MetaRepository } from '../disk/meta.repository.ts';

/** Key of the `meaning` space that is being added; no reader uses it yet. */
export const ADDED_MEANING = 'added_meaning';

/** Returns the location of a generation's vectors. A database that names no engine was written with the built-in one. */
export function engineLocation(meta: MetaRepository, folder: string, connection?: EngineConnection): EngineLocation {
  return { kind: meta.get<EngineKind>('vector_engine') ?? 'built-in', folder, connection };
}

/** A space that was added later has an epoch, because a later space of the same encoder has other vectors. */
type StoredSpace = VectorSpace & { epoch?: string };
/** The `meaning` space that is being added, and the entity types that get it. */
type AddedSpace = StoredSpace & { entity_types?: readonly EntityType[] };

/** Returns the database key of the encoder of a space. */
export function vectorSpaceKey(space: EmbeddingSpace, entityType: EntityType): string {
  return `vector_space:${space}:${entityType}`;
}

/** Returns the encoder of a space, or of the `meaning` space that is being added. */
export function findSpace(
  meta: MetaRepository,
  space: EmbeddingSpace,
  entityType: EntityType,
): StoredSpace | undefined {
  return (
    meta.get<StoredSpace>(vectorSpaceKey(space, entityType)) ??
    (space === 'meaning' ? findAddedOf(meta, entityType) : undefined)
  );
}

function findAddedOf(meta: MetaRepository, entityType: EntityType): StoredSpace | undefined {
  const added = meta.get<AddedSpace>(ADDED_MEANING);
  if (added === undefined) return undefined;
  const { entity_types = ENTITY_TYPES, ...made } = added;
  return entity_types.includes(entityType) ? made : undefined;
}

/** The vector spaces of a generation, each computed by one encoder. The vectors themselves are in a vector engine. */
export class VectorSpaces {
  readonly #meta: MetaRepository;
  readonly #engine: VectorEngine;

  constructor(meta: MetaRepository, engine: VectorEngine) {
    this.#meta = meta;
    this.#engine = engine;
  }

  /** Sets the encoder of a space that has none. */
  fix(space: EmbeddingSpace, entityType: EntityType, made: VectorSpace): void {
    if (this.find(space, entityType) === undefined) this.#meta.set(vectorSpaceKey(space, entityType), made);
  }

  /** Returns undefined if the dataset has no such space, or no row was encoded yet. */
  find(space: EmbeddingSpace, entityType: EntityType): VectorSpace | undefined {
    return this.#meta.get<VectorSpace>(vectorSpaceKey(space, entityType));
  }

  spacesOf(entityType: EntityType): EmbeddingSpace[] {
    return EMBEDDING_SPACES.filter((space) => this.find(space, entityType) !== undefined);
  }

  /** Returns the space that an encoder computes. */
  spaceOfEncoder(entityType: EntityType, encoderId: string): EmbeddingSpace | undefined {
    return EMBEDDING_SPACES.find((space) => findSpace(this.#meta, space, entityType)?.encoder_id === encoderId);
  }

  /** Returns the `meaning` space that is being added. */
  findAdded(): VectorSpace | undefined {
    return this.#meta.get<VectorSpace>(ADDED_MEANING);
  }

  /** @param entityTypes Those that get the space. */
  beginMeaning(made: VectorSpace, entityTypes: readonly EntityType[] = ENTITY_TYPES): void {
    const { encoder_id, dim } = made;
    const added: AddedSpace = { encoder_id, dim, epoch: randomUUID(), entity_types: entityTypes };
    this.#meta.set(ADDED_MEANING, added);
  }

  /** Makes the added space the `meaning` space of items or of objects. Joins the caller's transaction. */
  settleMeaning(entityType: EntityType): void {
    const made = findAddedOf(this.#meta, entityType);
    if (made) this.#meta.set(vectorSpaceKey('meaning', entityType), made);
  }

  /** Makes the added space the dataset's `meaning` space. Joins the caller's transaction. */
  endMeaning(): void {
    for (const entityType of ENTITY_TYPES) this.settleMeaning(entityType);
    this.#meta.delete(ADDED_MEANING);
  }

  /** Removes the `meaning` space. Joins the caller's transaction; {@link dropVectors} must follow. */
  forgetMeaning(): void {
    for (const entityType of ENTITY_TYPES) this.#meta.delete(vectorSpaceKey('meaning', entityType));
    this.#meta.delete(ADDED_MEANING);
  }

  async dropVectors(space: EmbeddingSpace): Promise<void> {
    for (const entityType of ENTITY_TYPES) await this.#engine.drop({ space, entity_type: entityType });
  }

  async deleteCopies(): Promise<void> {
    for (const entityType of ENTITY_TYPES) {
      for (const space of EMBEDDING_SPACES) await this.#engine.deleteCopy({ space, entity_type: entityType });
    }
  }

  /** Whether vectors of items and of objects can be compared. */
  isShared(space: EmbeddingSpace): boolean {
    const ofItems = this.find(space, 'IMAGES');
    return ofItems !== undefined && ofItems.encoder_id === this.find(space, 'OBJECTS')?.encoder_id;
  }

  /**
   * Returns the vectors of a space, or of the `meaning` space that is being added.
   * @throws Error if there is none.
   */
  of(space: EmbeddingSpace, entityType: EntityType): VectorCollection {
    const made = findSpace(this.#meta, space, entityType);
    if (!made) throw new Error(`the dataset has no vectors of ${space}`);
    return this.#engine.open({ space, entity_type: entityType, ...made });
  }

  /** Stores the vectors of new rows in all spaces. A space without a vector for a row stores zeros. */
  async addRows(
    entityType: EntityType,
    firstRow: number,
    described: readonly { vectors: SpaceVectors }[],
  ): Promise<void> {
    if (described.length === 0) return;
    const rows = Int32Array.from(described, (_, at) => firstRow + at);
    for (const space of this.spacesOf(entityType)) {
      const collection = this.of(space, entityType);
      const vectors = new Float32Array(described.length * collection.dim);
      for (const [at, { vectors: made }] of described.entries()) vectors.set(made[space] ?? [], at * collection.dim);
      await collection.upsert(rows, vectors);
    }
  }

  /** Removes the vectors of rows from `firstRow` on, because these row numbers will be assigned again. */
  async removeFrom(entityType: EntityType, firstRow: number, endRow: number): Promise<void> {
    const rows = Int32Array.from({ length: Math.max(0, endRow - firstRow) }, (_, at) => firstRow + at);
    if (rows.length === 0) return;
    for (const space of this.spacesOf(entityType)) await this.of(space, entityType).remove(rows);
  }

  async flush(): Promise<void> {
    for (const entityType of ENTITY_TYPES) {
      for (const space of this.spacesOf(entityType)) await this.of(space, entityType).flush();
    }
  }
}
