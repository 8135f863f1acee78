import type { Message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { EmbeddingSpace, VectorSpace } from './vector-space.ts';

/**
 * [Note: Vector engine]
 * A vector engine stores the vectors of one generation of a dataset and finds nearest neighbours among them. Vectors are L2-normalised, and
 * similarity is the cosine, -1 … 1.
 *
 * Row numbers are the ids. The store numbers the items of a generation, and its objects, 0, 1, 2, … in the order in which they are added.
 * A row keeps its number: excluded, missing and replaced items keep theirs, an item with new content gets a new row, and a copy of a
 * generation has the numbers of the original. Only rows of an addition that was cancelled before it was shown are given again, and the store
 * calls {@link VectorCollection.remove} for these first. So an engine can use row numbers as the ids of its points, and filters can be
 * bitmaps.
 *
 * Rows without a vector are allowed: the encoder failed on them, or their vector was lost. No search finds them.
 */
export interface VectorEngine {
  readonly capabilities: VectorEngineCapabilities;
  /**
   * Opens a space, and creates it with the first vector. An engine that is not local connects with the first call.
   * @throws Error when the space holds vectors of another encoder or dimension, or has too many dimensions.
   */
  open(space: SpaceAddress): VectorCollection;
  /** Deletes a space with everything that was derived from it. Safe to repeat. */
  drop(space: Pick<SpaceAddress, 'space' | 'entity_type'>): Promise<void>;
  close(): Promise<void>;
}

export interface VectorEngineCapabilities {
  max_dim: number;
  /** Least average share of the true nearest rows that a search finds. */
  search_recall: number;
  /** The same for {@link VectorCollection.neighbors}. */
  neighbor_recall: number;
}

/** One space of the items or the objects of a generation. */
export interface SpaceAddress extends VectorSpace {
  space: EmbeddingSpace;
  entity_type: EntityType;
  /** Tells a space from one of the same encoder that was dropped before. */
  epoch?: string;
}

/** Rows that a search may return: row r is bit `r % 32` of word `r / 32`, the least significant bit first. */
export interface RowBitmap {
  /** Rows from this number on are not allowed. */
  readonly size: number;
  /** Number of rows that are allowed. */
  readonly count: number;
  readonly words: Uint32Array;
}

export interface VectorMatch {
  row: number;
  /** Cosine similarity, -1 … 1. */
  similarity: number;
}

/** The nearest neighbours of consecutive rows. */
export interface NeighborBlock {
  /** Row that the first `k` neighbours belong to. */
  first: number;
  /** Neighbours per row. */
  k: number;
  /** `k` for each row, the most similar first; equally similar ones ascend. -1 where a row has fewer. */
  rows: Int32Array;
  /** Cosine similarity of each. */
  similarities: Float32Array;
}

/** Names a state of the index, and which rows it covers. */
export interface IndexVersion {
  version: number;
  /** Rows 0 … count - 1 are covered. */
  count: number;
}

export interface IndexOptions extends IndexVersion {
  /** Index to extend; undefined to build from nothing. */
  base: IndexVersion | undefined;
  /** Rows that are no neighbours of others: they have no item any more. */
  dead_rows: readonly number[];
  threads: number;
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal | undefined;
}

export interface BuiltIndex {
  /** Estimated share of the true neighbours that {@link VectorCollection.neighbors} returns. */
  recall: number;
  /** SHA-256 of the parts of the index, for {@link VectorCollection.checkIndex}. */
  sha256: Readonly<Record<string, string>>;
}

export interface DamagedRows {
  /** Ranges of rows below the end of the check that were never stored or are lost, each to before `to`. */
  missing: { from: number; to: number }[];
  /** Rows whose vectors differ from what was stored. */
  damaged: number[];
  /** Rows without a vector. */
  blank: number[];
}

/**
 * The vectors of one space. Methods reject with an Error for vectors of another dimension or with components that are not finite, and
 * reject with AppError `unavailable` when the engine cannot be reached.
 */
export interface VectorCollection {
  readonly dim: number;

  /** Number of rows that have a vector. */
  count(): Promise<number>;
  /**
   * Stores vectors, replacing those of the same rows. A vector of zeros is none. When the promise resolves, the vectors survive the end of
   * the process; after {@link flush} they survive a power failure.
   * @param vectors `dim` floats for each row.
   */
  upsert(rows: Int32Array, vectors: Float32Array): Promise<void>;
  /** Deletes the vectors of rows; rows without one are ignored. */
  remove(rows: Int32Array): Promise<void>;
  flush(): Promise<void>;

  /** Vectors of rows, in their order; zeros for a row without one. */
  fetch(rows: Int32Array): Promise<Float32Array>;
  /** Vectors of `n` consecutive rows. @param target Receives them, if given. @throws Error when rows past the last stored one are asked for. */
  fetchRange(first: number, n: number, target?: Float32Array): Promise<Float32Array>;
  /** Vectors of rows 0 … count - 1 in one array, which may be the engine's own memory: callers must not write to it. */
  fetchAll(count: number): Promise<Float32Array>;

  /** The `k` most similar of the allowed rows, most similar first, equal ones by row; fewer when no more have a vector. */
  search(vector: Float32Array, k: number, allowed: RowBitmap): Promise<VectorMatch[]>;
  /**
   * {@link search} for many vectors at once, for jobs.
   * @param queries `dim` floats each. @returns A block whose row r is the query with that number.
   */
  searchMany(queries: Float32Array, k: number, allowed: RowBitmap, options?: JobOptions): Promise<NeighborBlock>;
  /** The similarity of each row to a vector, in their order; -Infinity for a row without a vector. */
  similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array>;
  /**
   * Prepares what a search needs, one step per iteration, so that a thread can serve other calls in between.
   * @param depth `search` is the least that a search needs; `vectors` also makes later searches faster.
   */
  load(depth: 'search' | 'vectors'): Generator<void>;

  /**
   * Brings what {@link search} and {@link neighbors} use up to date with the rows 0 … count - 1, as a new version. Searches go on using the
   * version before until the store has published the new one. Building a version again, as after a crash, replaces it.
   */
  index(options: IndexOptions): Promise<BuiltIndex>;
  /** Deletes a version of the index that no reader uses. Safe to repeat. */
  dropIndex(version: number): Promise<void>;
  /** What is wrong with a version of the index; undefined when nothing is. @param isThorough Reads all of it. */
  checkIndex(index: IndexVersion & Pick<BuiltIndex, 'sha256'>, isThorough: boolean): Promise<Message | undefined>;
  /**
   * The nearest neighbours of the rows that a version covers, in blocks by ascending row. A block that is not at hand is a promise. The last
   * block may be followed by none for rows that the version does not cover.
   */
  neighbors(index: IndexVersion): Iterable<NeighborBlock | Promise<NeighborBlock>>;

  /** Adds rows without a vector, so that rows 0 … count - 1 can be fetched. */
  reserve(count: number): Promise<void>;
  /** Compares rows `from` … `to` - 1 with what was stored. Rows below `from` are only looked for. */
  check(from: number, to: number): Promise<DamagedRows>;
  /** Removes damaged vectors. In contrast to {@link remove}, {@link wasStored} still knows them. */
  setAside(rows: Int32Array): Promise<void>;
  /** Whether a vector is the one that was last stored for a row, even if that was damaged since. */
  wasStored(row: number, vector: Float32Array): Promise<boolean>;
}

export interface JobOptions {
  threads: number;
  signal?: AbortSignal | undefined;
}
