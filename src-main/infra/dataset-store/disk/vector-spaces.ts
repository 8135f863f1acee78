import { join } from 'node:path';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { VectorSpace } from '../../../core/ports/enrichment-store.ts';
import { VectorSegments } from '../../vectors/vector-segments.ts';
import type { MetaRepository } from '../rows/meta.repository.ts';

/** Where a generation says which encoder its vectors of a kind are of. */
export const VECTOR_SPACE = { IMAGES: 'vector_space:IMAGES', OBJECTS: 'vector_space:OBJECTS' } as const;
/** The key of generations that knew only one for both. */
const VECTOR_SPACE_OF_ALL = 'vector_space';

/** The folder of the vectors of an entity type, within a generation's. */
export function vectorsFolder(generationFolder: string, entityType: EntityType): string {
  return join(generationFolder, 'vectors', entityType);
}

/** The vectors of a generation: a folder an entity type, each of one encoder. */
export class VectorSpaces {
  readonly #folder: string;
  readonly #meta: MetaRepository;
  readonly #open = new Map<EntityType, VectorSegments>();

  constructor(folder: string, meta: MetaRepository) {
    this.#folder = folder;
    this.#meta = meta;
  }

  /** Chooses the encoder of an entity type; one that is chosen stays. */
  fix(entityType: EntityType, space: VectorSpace): void {
    if (this.find(entityType) === undefined) this.#meta.set(VECTOR_SPACE[entityType], space);
  }

  /** Undefined before anything was described. */
  find(entityType: EntityType): VectorSpace | undefined {
    return this.#meta.get<VectorSpace>(VECTOR_SPACE[entityType]) ?? this.#meta.get<VectorSpace>(VECTOR_SPACE_OF_ALL);
  }

  /** Whether vectors of items and of objects can be compared. */
  areSame(): boolean {
    return this.find('IMAGES')?.encoder_id === this.find('OBJECTS')?.encoder_id;
  }

  of(entityType: EntityType): VectorSegments {
    const known = this.#open.get(entityType);
    if (known) return known;
    const space = this.find(entityType);
    if (!space) throw new Error('the vector space is not fixed yet');
    const opened = VectorSegments.open(vectorsFolder(this.#folder, entityType), space);
    this.#open.set(entityType, opened);
    return opened;
  }

  close(): void {
    for (const vectors of this.#open.values()) vectors.close();
    this.#open.clear();
  }
}
