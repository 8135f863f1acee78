import { join } from 'node:path';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import {
  EMBEDDING_SPACES,
  type EmbeddingSpace,
  type SpaceVectors,
  type VectorSpace,
} from '../../../core/ports/vector-space.ts';
import { VectorSegments } from '../../vectors/vector-segments.ts';
import type { MetaRepository } from '../rows/meta.repository.ts';

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
    return EMBEDDING_SPACES.find((space) => this.find(space, entityType)?.encoder_id === encoderId);
  }

  /** Whether vectors of items and of objects can be compared. */
  isShared(space: EmbeddingSpace): boolean {
    const ofItems = this.find(space, 'IMAGES');
    return ofItems !== undefined && ofItems.encoder_id === this.find(space, 'OBJECTS')?.encoder_id;
  }

  of(space: EmbeddingSpace, entityType: EntityType): VectorSegments {
    const key = vectorSpaceKey(space, entityType);
    const known = this.#open.get(key);
    if (known) return known;
    const made = this.find(space, entityType);
    if (!made) throw new Error(`the dataset has no space of ${space}`);
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

  close(): void {
    for (const vectors of this.#open.values()) vectors.close();
    this.#open.clear();
  }
}
