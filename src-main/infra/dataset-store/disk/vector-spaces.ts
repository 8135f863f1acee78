import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import {
  EMBEDDING_SPACES,
  type EmbeddingSpace,
  type SpaceVectors,
  type VectorSpace,
} from '../../../core/ports/vector-space.ts';
import { VectorSegments } from '../../vectors/built-in/vector-segments.ts';
import type { MetaRepository } from '../rows/meta.repository.ts';

/** Where a generation says which encoder makes a space of meaning that is being added; nothing else knows of it yet. */
export const ADDED_MEANING = 'added_meaning';

/** A space that was added knows when: a later one of the same encoder has other files. */
type Begun = VectorSpace & { begun?: string };

/** Where a generation says which encoder made the vectors of a space. */
export function vectorSpaceKey(space: EmbeddingSpace, entityType: EntityType): string {
  return `vector_space:${space}:${entityType}`;
}

/** The folder of the vectors of a space and entity type, within a generation's. */
export function vectorsFolder(generationFolder: string, space: EmbeddingSpace, entityType: EntityType): string {
  return join(generationFolder, 'vectors', space, entityType);
}

/** The vectors of a generation: a folder for each space and entity type, each of one encoder. */
export class VectorSpaces {
  readonly #folder: string;
  readonly #meta: MetaRepository;
  readonly #open = new Map<string, VectorSegments>();

  constructor(folder: string, meta: MetaRepository) {
    this.#folder = folder;
    this.#meta = meta;
  }

  /** Chooses the encoder of a space; one that is chosen stays. */
  fix(space: EmbeddingSpace, entityType: EntityType, made: VectorSpace): void {
    if (this.find(space, entityType) === undefined) this.#meta.set(vectorSpaceKey(space, entityType), made);
  }

  /** Undefined where the dataset has no such space, or nothing was described yet. */
  find(space: EmbeddingSpace, entityType: EntityType): VectorSpace | undefined {
    return this.#meta.get<VectorSpace>(vectorSpaceKey(space, entityType));
  }

  spacesOf(entityType: EntityType): EmbeddingSpace[] {
    return EMBEDDING_SPACES.filter((space) => this.find(space, entityType) !== undefined);
  }

  /** The space that an encoder makes the vectors of. */
  spaceOfEncoder(entityType: EntityType, encoderId: string): EmbeddingSpace | undefined {
    return EMBEDDING_SPACES.find((space) => this.findAny(space, entityType)?.encoder_id === encoderId);
  }

  /** The space of meaning that is being added. */
  findAdded(): VectorSpace | undefined {
    return this.#meta.get<VectorSpace>(ADDED_MEANING);
  }

  beginMeaning(made: VectorSpace): void {
    this.#meta.set(ADDED_MEANING, { ...made, begun: randomUUID() } satisfies Begun);
  }

  /** Makes the added space the dataset's. Joins the caller's transaction. */
  settleMeaning(): void {
    const made = this.findAdded();
    if (!made) return;
    for (const entityType of ENTITY_TYPES) this.#meta.set(vectorSpaceKey('meaning', entityType), made);
    this.#meta.delete(ADDED_MEANING);
  }

  dropMeaning(): void {
    for (const entityType of ENTITY_TYPES) this.#meta.delete(vectorSpaceKey('meaning', entityType));
    this.#meta.delete(ADDED_MEANING);
    this.close();
    rmSync(join(this.#folder, 'vectors', 'meaning'), { recursive: true, force: true });
  }

  /** Whether vectors of items and of objects can be compared. */
  isShared(space: EmbeddingSpace): boolean {
    const ofItems = this.find(space, 'IMAGES');
    return ofItems !== undefined && ofItems.encoder_id === this.find(space, 'OBJECTS')?.encoder_id;
  }

  of(space: EmbeddingSpace, entityType: EntityType): VectorSegments {
    const made = this.findAny(space, entityType);
    if (!made) throw new Error(`the dataset has no space of ${space}`);
    // Another thread may have dropped the space and begun it anew.
    const key = `${vectorSpaceKey(space, entityType)}:${made.begun ?? ''}`;
    const known = this.#open.get(key);
    if (known) return known;
    const opened = VectorSegments.open(vectorsFolder(this.#folder, space, entityType), made);
    this.#open.set(key, opened);
    return opened;
  }

  /** Writes new rows in all spaces; what a space has no vector of gets one without direction. */
  writeRows(entityType: EntityType, firstRow: number, described: readonly { vectors: SpaceVectors }[]): void {
    if (described.length === 0) return;
    for (const space of this.spacesOf(entityType)) {
      const segments = this.of(space, entityType);
      const rows = new Float32Array(described.length * segments.dim);
      described.forEach(({ vectors }, at) => {
        rows.set(vectors[space] ?? [], at * segments.dim);
      });
      segments.writeRows(firstRow, rows);
    }
  }

  /** Also the space of meaning that is being added. */
  findAny(space: EmbeddingSpace, entityType: EntityType): Begun | undefined {
    return this.find(space, entityType) ?? (space === 'meaning' ? this.findAdded() : undefined);
  }

  close(): void {
    for (const vectors of this.#open.values()) vectors.close();
    this.#open.clear();
  }
}
