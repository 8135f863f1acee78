import type { VectorIndex, VectorMatch } from '../../core/ports/vector-index.ts';
import { ExactIndex } from './exact-index.ts';
import { VectorTable } from './vector-table.ts';

/** Exact search over vectors in memory; the reference for every other index. */
export class ExactVectorIndex implements VectorIndex {
  readonly #table: VectorTable;
  readonly #threads: number;
  /** Made at the first search after a change. */
  #index: ExactIndex | undefined;

  private constructor(dim: number, threads: number) {
    this.#table = new VectorTable(dim);
    this.#threads = threads;
  }

  static async open(options: { dim: number; threads: number }): Promise<ExactVectorIndex> {
    return new ExactVectorIndex(options.dim, options.threads);
  }

  async count(): Promise<number> {
    return this.#table.count;
  }

  async upsert(ids: Int32Array, vectors: Float32Array): Promise<void> {
    await this.close();
    const { dim } = this.#table;
    for (const [at, id] of ids.entries()) this.#table.set(id, vectors.subarray(at * dim, (at + 1) * dim));
  }

  async remove(ids: Int32Array): Promise<void> {
    await this.close();
    for (const id of ids) this.#table.delete(id);
  }

  async search(vector: Float32Array, k: number, allow?: ReadonlySet<number>): Promise<VectorMatch[]> {
    if (allow) return searchAmong(this.#table, vector, k, allow, this.#threads);
    const [found = []] = await this.#searchMany(vector, k);
    return found;
  }

  async neighbors(ids: Int32Array, k: number): Promise<VectorMatch[][]> {
    const found = await this.#searchMany(this.#table.fetch(ids), k + 1);
    return found.map((list, at) => list.filter(({ id }) => id !== ids[at]).slice(0, k));
  }

  async fetch(ids: Int32Array): Promise<Float32Array> {
    return this.#table.fetch(ids);
  }

  async close(): Promise<void> {
    await this.#index?.close();
    this.#index = undefined;
  }

  async #searchMany(queries: Float32Array, k: number): Promise<VectorMatch[][]> {
    const { vectors, dim, count, ids } = this.#table;
    this.#index ??= await ExactIndex.open({ vectors, dim, count, threads: this.#threads });
    return toMatches(await this.#index.searchMany(queries, k), ids, queries.length / dim);
  }
}

/** Exact search among some of a table's vectors. */
export async function searchAmong(
  table: VectorTable,
  vector: Float32Array,
  k: number,
  allow: ReadonlySet<number>,
  threads: number,
): Promise<VectorMatch[]> {
  const ids = Int32Array.from([...allow].filter((id) => table.has(id)));
  const options = { vectors: table.fetch(ids), dim: table.dim, count: ids.length, threads };
  const index = await ExactIndex.open(options);
  const [found = []] = toMatches(await index.searchMany(vector, k), ids, 1);
  await index.close();
  return found;
}

function toMatches(
  { rows, similarities }: { rows: Int32Array; similarities: Float32Array },
  ids: Int32Array,
  nQueries: number,
): VectorMatch[][] {
  const each = rows.length / Math.max(1, nQueries);
  return Array.from({ length: nQueries }, (_, query) =>
    Array.from(rows.subarray(query * each, (query + 1) * each), (row, nth) => ({
      id: ids[row] as number,
      similarity: similarities[query * each + nth] as number,
    })).sort(bySimilarity),
  );
}

/** The order of every list of matches. */
export function bySimilarity(a: VectorMatch, b: VectorMatch): number {
  return b.similarity - a.similarity || a.id - b.id;
}
