import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Message } from '../../../contract/messages.ts';
import type { Pace } from '../../../core/ports/read-limits.ts';
import type {
  BuiltIndex,
  DamagedRows,
  IndexOptions,
  IndexVersion,
  JobOptions,
  LoadDepth,
  NeighborBlock,
  RowBitmap,
  RowVectors,
  SpaceAddress,
  VectorCollection,
  VectorMatch,
} from '../../../core/ports/vector-engine.ts';
import type { GraphSearch } from '../neighbors/graph-search.ts';
import type { NeighborGraph } from '../neighbors/neighbor-graph.ts';
import { RowSet } from '../row-set.ts';
import { HeldVectors, StoredVectors } from '../row-vectors.ts';
import { assertVectors } from '../vector-checks.ts';
import { CODED_COMPONENTS } from '../vector-codes.ts';
import { readGraphBlocks } from './graph-file.ts';
import { checkIndexFiles, checksumsOf, indexFiles } from './index-files.ts';
import { type InvertedLists, nListsOf, probesFor } from './inverted-lists.ts';
import { readLists } from './lists-file.ts';
import { SearchIndex } from './search-index.ts';
import type { SharedMemory } from './shared-vectors.ts';
import { isWorthSorting, SortedVectors } from './sorted-vectors.ts';
import { VectorSegments } from './vector-segments.ts';

/** Maximum size of vectors that a job holds although it reads them in order. */
const FEW_BYTES = CODED_COMPONENTS * 4;
/** Maximum share of new rows among all for an addition that holds no vectors in memory. */
const SMALL_ADDITION = 1 / 8;

interface Parts {
  /** The generation's folder. */
  folder: string;
  vectors_folder: string;
  address: SpaceAddress;
  /** Maximum number of rows that are searched exactly. */
  exactRows: number;
  /** Maximum size of vectors that a job holds in memory. */
  mostHeldBytes: number;
  memory: () => SharedMemory;
  /** The published index; undefined before the first. Without a store that publishes, all rows are searched. */
  indexed: (() => IndexVersion | undefined) | undefined;
  /** Changes when another thread replaces a stored vector. */
  state: () => number;
}

interface KnownLists {
  version: number;
  lists: InvertedLists;
  sorted?: SortedVectors;
}

/** A space in segment files, with a neighbour graph and inverted lists beside them. */
export class BuiltInCollection implements VectorCollection {
  readonly dim: number;
  readonly #parts: Parts;
  readonly #segments: VectorSegments;
  #search: SearchIndex | undefined;
  /** Number of stored vectors that this collection has replaced. */
  #nReplaced = 0;
  /** Vectors of the first rows. */
  #all: HeldVectors | undefined;
  /** Lists of the published index, and the vectors in their order once a search needed them. */
  #lists: KnownLists | undefined;
  /** The graph that was built last, for the job that built it. */
  #built: { version: number; graph: NeighborGraph } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#segments = VectorSegments.open(parts.vectors_folder, parts.address);
    this.dim = parts.address.dim;
  }

  async count(): Promise<number> {
    return this.#segments.countStored();
  }

  async upsert(rows: Int32Array, vectors: Float32Array): Promise<void> {
    assertVectors(vectors, rows.length, this.dim);
    this.#forget();
    const end = this.#segments.end;
    for (let first = 0; first < rows.length; ) {
      let next = first + 1;
      while (next < rows.length && rows[next] === (rows[next - 1] as number) + 1) next += 1;
      this.#segments.writeRows(rows[first] as number, vectors.subarray(first * this.dim, next * this.dim));
      first = next;
    }
    if (rows.some((row) => row < end)) this.#nReplaced += 1;
  }

  async remove(rows: Int32Array): Promise<void> {
    this.#forget();
    this.#segments.remove(rows);
    this.#nReplaced += 1;
  }

  async flush(): Promise<void> {
    this.#segments.sync();
  }

  async fetch(rows: Int32Array): Promise<Float32Array> {
    const { dim } = this;
    const vectors = new Float32Array(rows.length * dim);
    for (let at = 0; at < rows.length; at += 1) {
      this.#segments.readIfStored(rows[at] as number, vectors.subarray(at * dim, (at + 1) * dim));
    }
    return vectors;
  }

  async fetchRange(first: number, n: number, target?: Float32Array): Promise<Float32Array> {
    return this.#segments.readRows(first, n, target);
  }

  vectorsOf(count: number, inOrder = false): RowVectors {
    if (this.#all?.count === count) return this.#all;
    const { dim } = this;
    const read = (first: number, n: number, target: Float32Array) => this.#segments.readRows(first, n, target);
    if (this.#areMany(count) || (inOrder && count * dim * 4 > FEW_BYTES)) {
      if (this.#segments.end < count) throw new Error('the vectors end before the row');
      return new StoredVectors(count, dim, read);
    }
    this.#all = new HeldVectors(read(0, count, new Float32Array(count * dim)), dim);
    return this.#all;
  }

  async search(vector: Float32Array, k: number, allowed: RowBitmap): Promise<VectorMatch[]> {
    assertVectors(vector, 1, this.dim);
    return this.#searched().search(vector, k, RowSet.from(allowed));
  }

  async searchMany(
    queries: Float32Array,
    k: number,
    allowed: RowBitmap,
    options: JobOptions = { threads: 1 },
  ): Promise<NeighborBlock> {
    assertVectors(queries, queries.length / this.dim, this.dim);
    const { searchBatch } = await import('../neighbors/batch-search.ts');
    const { searchByLists } = await import('./list-graph.ts');
    const count = allowed.size;
    const candidates = RowSet.from(allowed).toRows();
    const vectors = this.vectorsOf(count);
    const known = this.#listsOf(count);
    if (!known) return searchBatch({ vectors }, queries, candidates, { ...options, k });
    const { version, lists } = known;
    const nProbes = probesFor(lists, k);
    const search = (one: GraphSearch) => searchByLists(one, { lists, nProbes });
    const nProbed = (queries.length / this.dim) * nProbes;
    if (this.#areMany(count) && isWorthSorting(lists, nProbed)) {
      known.sorted ??= SortedVectors.write(vectors, lists, `${this.#files(version).lists}.sorted`);
    }
    return searchBatch({ vectors: known.sorted ?? vectors, search }, queries, candidates, { ...options, k });
  }

  similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array> {
    return this.#searched().similarities(vector, rows);
  }

  async *load(depth: LoadDepth): AsyncGenerator<void> {
    yield* this.#searched().load(depth);
  }

  async index(options: IndexOptions): Promise<BuiltIndex> {
    const { version, base, count } = options;
    // A process that only searches does not load ONNX Runtime.
    const { buildIndex } = await import('./build-index.ts');
    const files = this.#files(version);
    // A deleted dataset has no vectors: reading them fails before a folder is created.
    // A small addition reads each vector once or twice: first in order, after which the system has them in memory.
    const isSmall = base !== undefined && count - base.count <= count * SMALL_ADDITION;
    const vectors = this.vectorsOf(count, isSmall);
    mkdirSync(dirname(files.graph), { recursive: true });
    const known = base && this.#files(base.version);
    const { graph, blank, order } = await buildIndex({
      ...options,
      vectors,
      mayBeBlank: this.#segments.rowsWithoutCode(count),
      exactRows: this.#parts.exactRows,
      files,
      scratch: this.#areMany(count) ? `${files.graph}.sorted` : undefined,
      base: known,
    });
    this.#built = { version, graph };
    // Grouping all rows reads few single vectors, and takes memory of its own.
    if (!base && count * this.dim * 4 > FEW_BYTES) this.#all = undefined;
    return { blank_rows: blank, order, recall: graph.recall, sha256: checksumsOf(files) };
  }

  /** Searches read the files. */
  copyOut(): Promise<void> {
    return Promise.resolve();
  }

  countCopied(): number {
    return 0;
  }

  async dropIndex(version: number): Promise<void> {
    for (const file of Object.values(this.#files(version))) rmSync(file, { force: true });
  }

  async checkIndex(
    index: IndexVersion & Pick<BuiltIndex, 'sha256'>,
    pace: Pace | undefined,
  ): Promise<Message | undefined> {
    return checkIndexFiles(this.#files(index.version), index, pace);
  }

  async *neighbors({ version }: IndexVersion): AsyncGenerator<NeighborBlock> {
    const built = this.#built;
    if (built?.version === version) yield { first: 0, ...built.graph };
    else yield* readGraphBlocks(this.#files(version).graph);
  }

  async reserve(count: number): Promise<void> {
    this.#segments.extendTo(count);
  }

  async check(from: number, to: number): Promise<DamagedRows> {
    return this.#segments.check(from, to);
  }

  async setAside(rows: Int32Array): Promise<void> {
    for (const row of rows) this.#segments.blank(row);
    this.#nReplaced += 1;
  }

  async wasStored(row: number, vector: Float32Array): Promise<boolean> {
    return this.#segments.isAsWritten(row, vector);
  }

  close(): void {
    this.#forget();
    this.#search?.close();
    this.#segments.close();
  }

  /** Whether a job cannot hold so many vectors in memory, nor the system beside it. */
  #areMany(count: number): boolean {
    return count * this.dim * 4 > this.#parts.mostHeldBytes;
  }

  /** Forgets copies of vectors. */
  #forget(): void {
    this.#all = undefined;
    this.#lists?.sorted?.close();
    this.#lists = undefined;
  }

  #searched(): SearchIndex {
    this.#search ??= new SearchIndex({
      segments: this.#segments,
      memory: this.#parts.memory(),
      indexed: () => this.#indexed(),
      state: () => this.#parts.state() + this.#nReplaced,
      files: (version) => (version > 0 ? this.#files(version) : undefined),
    });
    return this.#search;
  }

  /** Version 0 has neither lists nor a graph. */
  #indexed(): IndexVersion {
    const { indexed } = this.#parts;
    return indexed ? (indexed() ?? { version: 0, count: 0 }) : { version: 0, count: this.#segments.end };
  }

  /** Inverted lists of the published index, if it has lists that cover exactly these rows. */
  #listsOf(count: number): KnownLists | undefined {
    const { version } = this.#indexed();
    if (version === 0) return undefined;
    if (this.#lists?.version !== version) {
      this.#lists?.sorted?.close();
      this.#lists = { version, lists: readLists(this.#files(version).lists) };
    }
    const { lists } = this.#lists;
    return nListsOf(lists) > 0 && lists.count === count ? this.#lists : undefined;
  }

  #files(version: number) {
    return indexFiles(this.#parts.folder, this.#parts.address, version);
  }
}
