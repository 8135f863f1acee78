import type { VectorIndex, VectorMatch } from '../../core/ports/vector-index.ts';
import { bySimilarity, searchAmong } from './exact-vector-index.ts';
import type { FaissNode, FaissNodeIndex } from './faiss-loader.ts';
import { innerProduct } from './rows.ts';
import { VectorTable } from './vector-table.ts';

/** A navigable small-world graph with 64 links a vector (Malkov & Yashunin 2018); needs no training and takes vectors one by one. */
const DESCRIPTION = 'HNSW64';
const INNER_PRODUCT = 0;
/** faiss-node cannot set how widely HNSW looks; it looks at as many as it is asked for, so more are asked for than wanted. */
const LEAST_ASKED = 128;
const ASKED_FACTOR = 2;
/** Rows that cross into faiss as plain numbers at once. */
const ADDED_AT_ONCE = 1024;
/** Share of labels that stand for nothing any more at which the graph is built anew; HNSW cannot remove. */
const MOST_STALE = 0.25;
/** Up to this share of all vectors, those allowed are searched one by one. */
const FEW_ALLOWED = 0.1;

/**
 * Approximate search by faiss, ranked again by exact similarity. Synchronous inside: only for workers and compute processes. Vectors are
 * held twice, in faiss and for the ranking.
 */
export class FaissIndex implements VectorIndex {
  readonly #faiss: FaissNode;
  readonly #threads: number;
  readonly #table: VectorTable;
  #index: FaissNodeIndex;
  /** Id by label, which is the number of the vector in the order of adding; -1 for what was removed or replaced. */
  #ids: number[] = [];
  readonly #labels = new Map<number, number>();

  private constructor(faiss: FaissNode, dim: number, threads: number) {
    this.#faiss = faiss;
    this.#threads = threads;
    this.#table = new VectorTable(dim);
    this.#index = faiss.Index.fromFactory(dim, DESCRIPTION, INNER_PRODUCT);
  }

  static async open(faiss: FaissNode, options: { dim: number; threads: number }): Promise<FaissIndex> {
    return new FaissIndex(faiss, options.dim, options.threads);
  }

  async count(): Promise<number> {
    return this.#table.count;
  }

  async upsert(ids: Int32Array, vectors: Float32Array): Promise<void> {
    const { dim } = this.#table;
    for (const [at, id] of ids.entries()) this.#table.set(id, vectors.subarray(at * dim, (at + 1) * dim));
    this.#add(Int32Array.from(new Set(ids)));
    this.#rebuildWhenStale();
  }

  async remove(ids: Int32Array): Promise<void> {
    for (const id of ids) {
      if (!this.#table.delete(id)) continue;
      this.#ids[this.#labels.get(id) ?? -1] = -1;
      this.#labels.delete(id);
    }
    this.#rebuildWhenStale();
  }

  async search(vector: Float32Array, k: number, allow?: ReadonlySet<number>): Promise<VectorMatch[]> {
    if (!allow) return this.#search(vector, k);
    if (allow.size <= Math.max(LEAST_ASKED, this.#table.count * FEW_ALLOWED)) {
      return searchAmong(this.#table, vector, k, allow, this.#threads);
    }
    // Asks for more until enough of them are allowed.
    for (let wanted = k * 2; ; wanted *= 4) {
      const found = this.#search(vector, wanted).filter(({ id }) => allow.has(id));
      if (found.length >= k) return found.slice(0, k);
      if (wanted >= this.#table.count) return searchAmong(this.#table, vector, k, allow, this.#threads);
    }
  }

  async neighbors(ids: Int32Array, k: number): Promise<VectorMatch[][]> {
    return Array.from(ids, (id) =>
      this.#search(this.#table.get(id), k + 1)
        .filter((match) => match.id !== id)
        .slice(0, k),
    );
  }

  async fetch(ids: Int32Array): Promise<Float32Array> {
    return this.#table.fetch(ids);
  }

  async close(): Promise<void> {
    this.#index = this.#faiss.Index.fromFactory(this.#table.dim, DESCRIPTION, INNER_PRODUCT);
    this.#ids = [];
  }

  #search(vector: Float32Array, k: number): VectorMatch[] {
    const stale = this.#ids.length - this.#table.count;
    const asked = Math.min(this.#index.ntotal(), Math.max(LEAST_ASKED, k * ASKED_FACTOR) + stale);
    if (asked === 0 || k === 0) return [];
    const matches: VectorMatch[] = [];
    for (const label of this.#index.search(Array.from(vector), asked).labels) {
      const id = this.#ids[label] ?? -1;
      if (id < 0) continue;
      matches.push({ id, similarity: innerProduct(vector, 0, this.#table.get(id), 0, this.#table.dim) });
    }
    return matches.sort(bySimilarity).slice(0, k);
  }

  /** Gives ids their present vectors; what they had before goes stale. */
  #add(ids: Int32Array): void {
    for (let first = 0; first < ids.length; first += ADDED_AT_ONCE) {
      const part = ids.subarray(first, first + ADDED_AT_ONCE);
      this.#index.add(Array.from(this.#table.fetch(part)));
      for (const id of part) {
        const before = this.#labels.get(id);
        if (before !== undefined) this.#ids[before] = -1;
        this.#labels.set(id, this.#ids.length);
        this.#ids.push(id);
      }
    }
  }

  #rebuildWhenStale(): void {
    const stale = this.#ids.length - this.#table.count;
    if (stale <= this.#ids.length * MOST_STALE) return;
    this.#index = this.#faiss.Index.fromFactory(this.#table.dim, DESCRIPTION, INNER_PRODUCT);
    this.#ids = [];
    this.#labels.clear();
    this.#add(this.#table.ids.slice());
  }
}
