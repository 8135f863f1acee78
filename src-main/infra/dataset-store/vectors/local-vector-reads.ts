import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { EmbeddingSpace, VectorSpace } from '../../../core/ports/vector-space.ts';
import type { SpaceCopy, VectorReads } from '../../../core/ports/vectors.ts';
import type { Answered } from '../../threads/answered.ts';
import type { LiveRows } from '../columns/live-rows.ts';
import type { ModelResultRepository } from '../enrichment/model-result.repository.ts';
import type { NeedsOf } from '../thread/needs.ts';
import type { IndexReader } from './index-reader.ts';
import type { VectorSpaces } from './vector-spaces.ts';

interface Parts {
  vectors: VectorSpaces;
  index: IndexReader;
  live: LiveRows;
  models: ModelResultRepository;
  /** Number of rows, living or dead. */
  countRows: (entityType: EntityType) => number;
}

export class LocalVectorReads implements Answered<VectorReads> {
  static readonly needs: NeedsOf<VectorReads> = {
    sample: () => ({ plans: [], issues: [], asksEngine: true }),
  };

  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  findSpace(space: EmbeddingSpace, entityType: EntityType): VectorSpace | undefined {
    return this.#parts.vectors.find(space, entityType);
  }

  sample(space: EmbeddingSpace, entityType: EntityType, limit: number): Promise<Float32Array> {
    const rows = this.#parts.models.sampleRows(entityType, limit);
    return this.#parts.vectors.of(space, entityType).fetch(Int32Array.from(rows));
  }

  countIndexed(): Record<EntityType, number> {
    const { index } = this.#parts;
    return { IMAGES: index.count('IMAGES'), OBJECTS: index.count('OBJECTS') };
  }

  listCopies(): SpaceCopy[] {
    const { vectors, countRows } = this.#parts;
    return ENTITY_TYPES.flatMap((entityType) =>
      vectors.spacesOf(entityType).map((space) => ({
        ...{ space, entity_type: entityType },
        n_rows: countRows(entityType),
        n_copied: vectors.of(space, entityType).countCopied(),
      })),
    );
  }

  countUnindexed(entityType: EntityType): number {
    const { index, live, countRows } = this.#parts;
    const clusters = index.clusters(entityType, 0);
    const alive = live.read(entityType, countRows(entityType));
    return alive.toRows().filter((row) => (clusters?.clusterOf(row) ?? -1) < 0).length;
  }
}
