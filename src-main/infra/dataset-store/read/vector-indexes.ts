import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { VectorIndex } from '../../../core/ports/vector-index.ts';
import type { EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import { ExactVectorIndex } from '../../vectors/built-in/exact-vector-index.ts';
import { nListsOf } from '../../vectors/built-in/inverted-lists.ts';
import { InvertedVectorIndex } from '../../vectors/built-in/inverted-vector-index.ts';
import { readLists } from '../../vectors/built-in/lists-file.ts';
import { type SharedMemory, SharedVectors } from '../../vectors/built-in/shared-vectors.ts';
import type { VectorMemories } from '../../vectors/built-in/vector-memories.ts';
import type { RowSet } from '../../vectors/row-set.ts';
import type { VectorSpaces } from '../disk/vector-spaces.ts';
import type { DataVersions } from './data-versions.ts';
import type { IndexReader } from './index-reader.ts';

/** Components of vectors that are read before others may go on, 16 MiB: some ten milliseconds of work. */
const COMPONENTS_OF_A_PIECE = 2 ** 22;
/** The same where nobody waits for them: as long as a short call takes. */
const COMPONENTS_OF_A_PART = 2 ** 18;

interface OpenIndex {
  vectors: SharedVectors;
  exact: ExactVectorIndex;
  /** The inverted lists that were read last, if the index has any. */
  lists_file?: string | undefined;
  inverted?: InvertedVectorIndex | undefined;
}

interface Parts {
  vectors: VectorSpaces;
  index: IndexReader;
  versions: DataVersions;
  memories: VectorMemories;
}

/** The searchable vectors of a generation, by space and entity type. */
export class VectorIndexes {
  readonly #parts: Parts;
  readonly #open = new Map<SharedMemory, OpenIndex>();
  /** Those that come into memory meanwhile. */
  readonly #coming = new Set<SharedMemory>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The vectors of the rows that the space's published index covers. */
  of(space: EmbeddingSpace, entityType: EntityType): VectorIndex {
    const open = this.#extended(space, entityType);
    return open.inverted ?? open.exact;
  }

  /** Rows of these that have no vector: their encoder failed on them, or it was lost. */
  blankRows(space: EmbeddingSpace, entityType: EntityType): RowSet {
    return this.#extended(space, entityType).vectors.blankRows;
  }

  /** Reads what a search needs, piece by piece. */
  *bringIn(space: EmbeddingSpace, entityType: EntityType): Generator<void> {
    while (this.#extended(space, entityType, COMPONENTS_OF_A_PIECE).nRead > 0) yield;
  }

  /** {@link bringInVectors} for later searches: not while that is done for others. */
  *bringInLater(space: EmbeddingSpace, entityType: EntityType): Generator<void> {
    const memory = this.#parts.memories[space][entityType];
    if (this.#coming.has(memory)) return;
    this.#coming.add(memory);
    try {
      yield* this.bringInVectors(space, entityType);
    } finally {
      this.#coming.delete(memory);
    }
  }

  /** Brings the vectors into memory, piece by piece: searches read them from their files until then. */
  *bringInVectors(space: EmbeddingSpace, entityType: EntityType): Generator<void> {
    for (;;) {
      const { vectors } = this.#extended(space, entityType);
      if (vectors.extendVectors(Math.ceil(COMPONENTS_OF_A_PART / vectors.dim)) === 0) return;
      yield;
    }
  }

  /** @param most Components that are read. */
  #extended(space: EmbeddingSpace, entityType: EntityType, most = Number.POSITIVE_INFINITY) {
    const { vectors, index, versions, memories } = this.#parts;
    const segments = vectors.of(space, entityType);
    const open = this.#openIn(memories[space][entityType], segments.dim);
    const published = index.published(space, entityType);
    const version = versions.vectors;
    const known = open.vectors.countOf(version);
    const count = Math.min(published?.count ?? 0, known + Math.ceil(most / segments.dim));
    open.vectors.extend(count, (row, n, into) => segments.readRows(row, n, into), version);
    if (open.lists_file !== published?.lists_file) takeLists(open, published?.lists_file);
    return { ...open, nRead: open.vectors.count - known };
  }

  /** Gives this thread's places in the memories back. */
  close(): void {
    for (const { vectors, inverted } of this.#open.values()) {
      inverted?.close();
      vectors.close();
    }
    this.#open.clear();
  }

  #openIn(memory: SharedMemory, dim: number): OpenIndex {
    const known = this.#open.get(memory);
    if (known) return known;
    const vectors = new SharedVectors(dim, memory);
    const open = { vectors, exact: new ExactVectorIndex(vectors) };
    this.#open.set(memory, open);
    return open;
  }
}

function takeLists(open: OpenIndex, file: string | undefined): void {
  open.inverted?.close();
  const lists = file === undefined ? undefined : readLists(file);
  const hasLists = lists !== undefined && nListsOf(lists) > 0;
  open.inverted = hasLists ? new InvertedVectorIndex(open.vectors, open.exact, lists) : undefined;
  open.lists_file = file;
}
