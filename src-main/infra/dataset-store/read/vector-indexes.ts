import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { VectorIndex } from '../../../core/ports/vector-index.ts';
import type { EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import { ExactVectorIndex } from '../../vectors/exact-vector-index.ts';
import { SharedVectors } from '../../vectors/shared-vectors.ts';
import type { VectorMemories } from '../../vectors/vector-memories.ts';
import type { VectorSpaces } from '../disk/vector-spaces.ts';
import type { IndexReader } from './index-reader.ts';

/** The searchable vectors of a generation, by space and entity type. */
export class VectorIndexes {
  readonly #parts: { vectors: VectorSpaces; index: IndexReader; memories: VectorMemories };
  readonly #open = new Map<WebAssembly.Memory, SharedVectors>();

  constructor(parts: { vectors: VectorSpaces; index: IndexReader; memories: VectorMemories }) {
    this.#parts = parts;
  }

  /** The vectors of the rows that the space's published index covers. */
  of(space: EmbeddingSpace, entityType: EntityType): VectorIndex {
    const { vectors, index, memories } = this.#parts;
    const segments = vectors.of(space, entityType);
    const memory = memories[space][entityType];
    const shared = this.#open.get(memory) ?? new SharedVectors(segments.dim, memory);
    this.#open.set(memory, shared);
    shared.extend(index.published(space, entityType)?.count ?? 0, (row, n) => segments.readRows(row, n));
    return new ExactVectorIndex(shared);
  }

  /** Gives this thread's places in the memories back. */
  close(): void {
    for (const shared of this.#open.values()) shared.close();
    this.#open.clear();
  }
}
