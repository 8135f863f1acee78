import type { IndexVersion, LoadDepth, VectorMatch } from '../../../core/ports/vector-engine.ts';
import type { RowSet } from '../row-set.ts';
import type { IndexFiles } from './build-index.ts';
import { ExactVectorIndex } from './exact-vector-index.ts';
import { GraphFile } from './graph-file.ts';
import { nListsOf } from './inverted-lists.ts';
import { InvertedVectorIndex } from './inverted-vector-index.ts';
import { readLists } from './lists-file.ts';
import { SharedNeighbors } from './shared-neighbors.ts';
import { type SharedMemory, SharedVectors } from './shared-vectors.ts';
import type { VectorIndex } from './vector-index.ts';
import type { VectorSegments } from './vector-segments.ts';

/** Number of vector components that one step of loading reads before other calls run: 16 MiB, about ten milliseconds of work. */
const COMPONENTS_PER_STEP = 2 ** 22;
/** Number of components per step when no call waits for the loading: a step takes as long as a short call. */
const COMPONENTS_PER_BACKGROUND_STEP = 2 ** 18;

interface Parts {
  segments: VectorSegments;
  memory: SharedMemory;
  /** The index that searches use; undefined before the first. */
  indexed: () => IndexVersion | undefined;
  /** Changes when a stored vector is replaced. */
  state: () => number;
  /** Returns the files of a version; undefined for none. */
  files: (version: number) => IndexFiles | undefined;
}

/** The vectors of a space in memory, and the inverted lists in which they are searched. */
export class SearchIndex {
  readonly #parts: Parts;
  readonly #vectors: SharedVectors;
  readonly #exact: ExactVectorIndex;
  #inverted: { version: number; index: InvertedVectorIndex | undefined } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#vectors = new SharedVectors(parts.segments.dim, parts.memory);
    this.#exact = new ExactVectorIndex(this.#vectors);
  }

  async search(vector: Float32Array, k: number, allowed: RowSet): Promise<VectorMatch[]> {
    const index = this.#current();
    return index.search(vector, k, allowed.below(index.count));
  }

  /** Returns similarities; -Infinity for rows without a vector. */
  async similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array> {
    const index = this.#current();
    const isKnown = (row: number) => row >= 0 && row < index.count;
    if (rows.every(isKnown)) return index.similarities(vector, rows);
    const known = rows.filter(isKnown);
    const found = await index.similarities(vector, known);
    let nth = -1;
    return Float32Array.from(rows, (row) => {
      if (!isKnown(row)) return Number.NEGATIVE_INFINITY;
      nth += 1;
      return found[nth] as number;
    });
  }

  /** See {@link VectorCollection.load}. */
  *load(depth: LoadDepth): Generator<void> {
    this.#extend();
    // Stored codes are all read in less time than those of few rows are made.
    const { comparesFew = false, count = 0 } = this.#inverted?.index ?? {};
    if (depth === 'first_search' && comparesFew && !this.#parts.segments.hasCodes(count)) return;
    const components = depth === 'first_search' ? COMPONENTS_PER_STEP : COMPONENTS_PER_BACKGROUND_STEP;
    const rows = Math.ceil(components / this.#vectors.dim);
    while (this.#vectors.extendCodes(rows) > 0) {
      yield;
      this.#extend();
    }
    while (depth !== 'first_search' && (this.#inverted?.index?.loadNeighbors(rows) ?? 0) > 0) {
      yield;
      this.#extend();
    }
    while (depth === 'vectors' && this.#vectors.extendVectors(rows) > 0) {
      yield;
      this.#extend();
    }
  }

  /** Releases this thread's slots in the shared memory. */
  close(): void {
    this.#inverted?.index?.close();
    this.#vectors.close();
  }

  #current(): VectorIndex {
    this.#extend();
    return this.#inverted?.index ?? this.#exact;
  }

  #extend(): void {
    const { segments, indexed, state } = this.#parts;
    const index = indexed();
    this.#vectors.extend(
      index?.count ?? 0,
      (row, n, into) => segments.readRows(row, n, into),
      state(),
      (row, n, into) => segments.readCodes(row, n, into),
    );
    if (index && index.version !== this.#inverted?.version) this.#openLists(index.version);
  }

  #openLists(version: number): void {
    this.#inverted?.index?.close();
    this.#inverted = { version, index: this.#openIndex(version) };
  }

  #openIndex(version: number): InvertedVectorIndex | undefined {
    const files = this.#parts.files(version);
    const lists = files && readLists(files.lists);
    if (!lists || nListsOf(lists) === 0) return undefined;
    const { count } = lists;
    const file = GraphFile.open(files.graph, count);
    const graph = file && new SharedNeighbors(this.#parts.memory.neighbors, file, { version, count });
    return new InvertedVectorIndex(this.#vectors, this.#exact, lists, graph);
  }
}
