import { join } from 'node:path';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { VectorSpace } from '../../core/dataset-store.port.ts';
import { VectorSegments } from '../vectors/vector-segments.ts';
import type { MetaRepository } from './meta.repository.ts';

/** The vectors of a generation, a folder an entity type; all of one encoder. */
export class VectorSpaces {
  readonly #folder: string;
  readonly #meta: MetaRepository;
  readonly #open = new Map<EntityType, VectorSegments>();

  constructor(folder: string, meta: MetaRepository) {
    this.#folder = join(folder, 'vectors');
    this.#meta = meta;
  }

  /** @throws Error when the vectors are of another encoder. */
  fix(space: VectorSpace): void {
    const known = this.#meta.get<VectorSpace>('vector_space');
    if (known && (known.encoder_id !== space.encoder_id || known.dim !== space.dim)) {
      throw new Error(`the vectors are of ${known.encoder_id}, not ${space.encoder_id}`);
    }
    this.#meta.set('vector_space', space);
  }

  of(entity_type: EntityType): VectorSegments {
    const known = this.#open.get(entity_type);
    if (known) return known;
    const space = this.#meta.get<VectorSpace>('vector_space');
    if (!space) throw new Error('the vector space is not fixed yet');
    const opened = VectorSegments.open(join(this.#folder, entity_type), space);
    this.#open.set(entity_type, opened);
    return opened;
  }

  close(): void {
    for (const vectors of this.#open.values()) vectors.close();
    this.#open.clear();
  }
}
