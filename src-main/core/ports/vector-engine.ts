import type { Message } from '../../contract/messages.ts';
import type { EntityType } from '../../contract/schemas/explore.ts';
import type { Pace } from './read-limits.ts';
import type { GenerationFile } from './state-file.ts';
import type { EmbeddingSpace, VectorSpace } from './vector-space.ts';

/**
 * [Note: Vector engine]
 * A vector engine stores the vectors of one generation of a dataset and finds nearest neighbours among them. Vectors are L2-normalised, and
 * similarity is the cosine, -1 … 1.
 *
 * Row numbers are the ids. The store numbers the items of a generation, and its objects, 0, 1, 2, … in the order in which they are added. A
 * row keeps its number: excluded, missing and replaced items keep theirs, an item with new content gets a new row, and a copy of a
 * generation has the numbers of the original. Only row numbers of an addition that was cancelled before it became visible are reused, and
 * the store calls {@link VectorCollection.remove} for them first. So an engine can use row numbers as the ids of its points, and filters
 * can be bitmaps.
 *
 * Rows without a vector are allowed: the encoder failed on them, or their vector was lost. No search finds them.
 */
export interface VectorEngine {
  readonly capabilities: VectorEngineCapabilities;
  /**
   * Opens a space, and creates it with the first vector. An engine that is not local connects with the first call.
   * @throws Error when the space holds vectors of another encoder or dimension, or the vectors have too many dimensions.
   */
  open(space: SpaceAddress): VectorCollection;
  /**
   * Lists the files of the generation's folder that a copy, a snapshot or a backup of a space needs: an engine opened on a folder with these
   * files has the same vectors and the same index. An engine that stores vectors elsewhere first writes them to files.
   */
  listFiles(space: SpaceAddress, state: SpaceState): Promise<GenerationFile[]>;
  /** Deletes the copy of a space that an external engine searches; searches then read the files. Safe to repeat. */
  deleteCopy(space: Pick<SpaceAddress, 'space' | 'entity_type'>): Promise<void>;
  /** Deletes a space and all data derived from it. Safe to repeat. */
  drop(space: Pick<SpaceAddress, 'space' | 'entity_type'>): Promise<void>;
  close(): Promise<void>;
}

export interface VectorEngineCapabilities {
  max_dim: number;
  /** Minimum average recall of a search: share of the true nearest rows that it finds. */
  search_recall: number;
  /** Minimum average recall of {@link VectorCollection.neighbors}. */
  neighbor_recall: number;
}

/** Identifies one space of the items or objects of a generation. */
export interface SpaceAddress extends VectorSpace {
  space: EmbeddingSpace;
  entity_type: EntityType;
  /** Distinguishes a space from a dropped space of the same encoder. */
  epoch?: string;
}

/** Committed state of a space. */
export interface SpaceState {
  /** Rows 0 … rows - 1 exist, at least one. */
  rows: number;
  /** The published version of the index; undefined for none. */
  index: number | undefined;
}

/** State of a generation that the store reports to an engine. All connections of the store report the same. */
export interface GenerationState {
  /** The index that searches use; undefined before the first. */
  indexed(space: EmbeddingSpace, entityType: EntityType): IndexVersion | undefined;
  /** Changes when a stored vector is replaced. */
  vectorsState(): number;
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
  /**
   * `k` for each row, the most similar first; equally similar rows in ascending order. -1 fills the rest if a row has fewer than `k`
   * neighbours.
   */
  rows: Int32Array;
  /** Cosine similarity of each entry of `rows`. */
  similarities: Float32Array;
}

/** Identifies a version of the index and the rows that it covers. */
export interface IndexVersion {
  version: number;
  /** Rows 0 … count - 1 are covered. */
  count: number;
}

export interface IndexOptions extends IndexVersion {
  /**
   * Version of the index to extend; undefined to build a new index. Rows that it covers have the same vectors as when it was built, except
   * that a row may have lost or regained its vector: the store builds a new index after replacing vectors by others.
   */
  base: IndexVersion | undefined;
  /** Rows whose item no longer exists. They are never returned as neighbours. */
  dead_rows: readonly number[];
  threads: number;
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal | undefined;
}

export interface BuiltIndex {
  /** Rows without a vector among those that are not dead, ascending. */
  blank_rows: Int32Array;
  /** Returns all rows, similar ones near each other; undefined if the engine has no such order. */
  order?: (() => Promise<Int32Array>) | undefined;
  /** Estimated share of the true neighbours that {@link VectorCollection.neighbors} returns. */
  recall: number;
  /** SHA-256 of the parts of the index, for {@link VectorCollection.checkIndex}. */
  sha256: Readonly<Record<string, string>>;
}

export interface DamagedRows {
  /** Ranges of rows below the end of the check that were never stored or are lost. `to` is excluded. */
  missing: { from: number; to: number }[];
  /** Rows whose vectors differ from what was stored. */
  damaged: number[];
  /** Rows without a vector. */
  blank: number[];
}

/** The vectors of rows 0 … count - 1, for jobs: in memory if they fit there, otherwise in files. */
export interface RowVectors {
  readonly dim: number;
  readonly count: number;
  /** Whether all are in memory. */
  readonly areHeld: boolean;
  /** Copies the vector of a row into an array, from an index on (default 0). */
  copy(row: number, target: Float32Array, at?: number): void;
  /**
   * Returns the vectors of rows one after the other. Callers must not write to the array, which may be the engine's own memory.
   * @param rows Ascending.
   * @param room Array of that length for a copy, if one is made.
   */
  gather(rows: Int32Array, room?: Float32Array): Float32Array;
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
   * Stores vectors, replacing those of the same rows. A zero vector counts as no vector. When the promise resolves, the vectors survive the
   * end of the process; after {@link flush} they survive a power failure.
   * @param vectors `dim` floats for each row.
   */
  upsert(rows: Int32Array, vectors: Float32Array): Promise<void>;
  /** Deletes the vectors of rows; rows without one are ignored. */
  remove(rows: Int32Array): Promise<void>;
  flush(): Promise<void>;

  /** Returns the vectors of rows, in the order of the rows; zeros for a row without a vector. */
  fetch(rows: Int32Array): Promise<Float32Array>;
  /**
   * Returns the vectors of `n` consecutive rows.
   * @param target Buffer to fill, if given.
   * @throws Error if a row is beyond the last stored one.
   */
  fetchRange(first: number, n: number, target?: Float32Array): Promise<Float32Array>;
  /**
   * Gives a job access to the vectors of rows 0 … count - 1.
   * @param inOrder Whether they are read from first to last: many then stay in files, although they would fit in memory.
   * @throws Error if a row is beyond the last stored one.
   */
  vectorsOf(count: number, inOrder?: boolean): RowVectors;

  /** Returns the `k` most similar allowed rows, most similar first, equal ones by row; fewer if not enough rows have a vector. */
  search(vector: Float32Array, k: number, allowed: RowBitmap): Promise<VectorMatch[]>;
  /**
   * {@link search} for many vectors at once, for jobs.
   * @param queries `dim` floats each. @returns A block whose row r is the query with that number.
   */
  searchMany(queries: Float32Array, k: number, allowed: RowBitmap, options?: JobOptions): Promise<NeighborBlock>;
  /** Returns the similarity of each row to a vector, in the order of the rows; -Infinity for a row without a vector. */
  similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array>;
  /** Loads data that searches read, one step per iteration, so that a thread can serve other calls in between. */
  load(depth: LoadDepth): AsyncGenerator<void>;

  /**
   * Builds a new version of the index of {@link search} and {@link neighbors}, which covers rows 0 … count - 1. Searches continue to use
   * the previous version until the store has published the new one. Building a version again, for example after a crash, replaces it.
   */
  index(options: IndexOptions): Promise<BuiltIndex>;
  /**
   * Copies vectors to where the engine searches them, as far as it does not have them yet. Until then searches find these rows too, more
   * slowly. An engine that searches the generation's files does nothing.
   */
  copyOut(options: CopyOptions): Promise<void>;
  /** Number of rows that an external engine searches. */
  countCopied(): number;
  /** Deletes a version of the index that no reader uses. Safe to repeat. */
  dropIndex(version: number): Promise<void>;
  /**
   * Checks a version of the index.
   * @param pace Called after each read of its data; undefined to check only that the index exists and is complete.
   * @returns The problem; undefined if none is found.
   */
  checkIndex(index: IndexVersion & Pick<BuiltIndex, 'sha256'>, pace: Pace | undefined): Promise<Message | undefined>;
  /**
   * Yields the nearest neighbours of the rows that a version covers, in blocks by ascending row. Rows that the version does not cover have
   * no blocks.
   */
  neighbors(index: IndexVersion): AsyncIterable<NeighborBlock>;

  /** Adds rows without a vector, so that rows 0 … count - 1 can be fetched. */
  reserve(count: number): Promise<void>;
  /** Compares rows `from` … `to` - 1 with what was stored. Rows below `from` are only checked for existence. */
  check(from: number, to: number): Promise<DamagedRows>;
  /** Removes damaged vectors. Unlike after {@link remove}, {@link wasStored} still recognises them. */
  setAside(rows: Int32Array): Promise<void>;
  /** Whether a vector equals the one last stored for a row, even if the stored vector is damaged now. */
  wasStored(row: number, vector: Float32Array): Promise<boolean>;
}

/**
 * What a thread loads: `first_search` the minimum for a search, `search` what makes searches fast, `vectors` what makes
 * {@link VectorCollection.similarities} of many rows fast too.
 */
export type LoadDepth = 'first_search' | 'search' | 'vectors';

export interface CopyOptions {
  /** Rows 0 … count - 1 are copied. */
  count: number;
  /** Whether to begin a copy of the space; otherwise only an existing copy is extended. */
  isFirst?: boolean;
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface JobOptions {
  threads: number;
  signal?: AbortSignal | undefined;
}
