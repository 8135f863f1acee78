import type {
  BuiltIndex,
  DamagedRows,
  IndexOptions,
  IndexVersion,
  NeighborBlock,
  RowBitmap,
  RowVectors,
  SpaceAddress,
  VectorCollection,
  VectorEngine,
  VectorMatch,
} from '../../../src-main/core/ports/vector-engine.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { HeldVectors } from '../../../src-main/infra/vectors/row-vectors.ts';
import { innerProduct } from '../../../src-main/infra/vectors/rows.ts';
import { TopRows } from '../../../src-main/infra/vectors/top-rows.ts';
import { assertVectors } from '../../../src-main/infra/vectors/vector-checks.ts';

const NEIGHBORS = 24;

/** Vectors by space and row. */
export type Storage = Map<string, Map<number, Float32Array>>;

/** Compares with every vector in memory: the reference for the conformance suite. Responses are asynchronous, as for a remote engine. */
export class ExactEngine implements VectorEngine {
  readonly capabilities = { max_dim: 4096, search_recall: 1, neighbor_recall: 1 };
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  open(address: SpaceAddress): VectorCollection {
    const key = `${address.space} ${address.entity_type}`;
    const vectors = this.#storage.get(key) ?? new Map<number, Float32Array>();
    this.#storage.set(key, vectors);
    return new ExactCollection(address.dim, vectors);
  }

  async drop({ space, entity_type }: Pick<SpaceAddress, 'space' | 'entity_type'>): Promise<void> {
    this.#storage.delete(`${space} ${entity_type}`);
  }

  deleteCopy(): Promise<void> {
    return Promise.resolve();
  }

  async listFiles(): Promise<[]> {
    return [];
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class ExactCollection implements VectorCollection {
  readonly dim: number;
  readonly #vectors: Map<number, Float32Array>;
  readonly #dead = new Map<number, ReadonlySet<number>>();

  constructor(dim: number, vectors: Map<number, Float32Array>) {
    this.dim = dim;
    this.#vectors = vectors;
  }

  async count(): Promise<number> {
    return this.#vectors.size;
  }

  async upsert(rows: Int32Array, vectors: Float32Array): Promise<void> {
    assertVectors(vectors, rows.length, this.dim);
    for (const [at, row] of rows.entries()) {
      const vector = vectors.slice(at * this.dim, (at + 1) * this.dim);
      if (vector.some((value) => value !== 0)) this.#vectors.set(row, vector);
      else this.#vectors.delete(row);
    }
  }

  async remove(rows: Int32Array): Promise<void> {
    for (const row of rows) this.#vectors.delete(row);
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  async fetch(rows: Int32Array): Promise<Float32Array> {
    const found = new Float32Array(rows.length * this.dim);
    for (const [at, row] of rows.entries()) found.set(this.#vectors.get(row) ?? [], at * this.dim);
    return found;
  }

  async fetchRange(first: number, n: number, target?: Float32Array): Promise<Float32Array> {
    const found = await this.fetch(Int32Array.from({ length: n }, (_, at) => first + at));
    target?.set(found);
    return target ?? found;
  }

  vectorsOf(count: number): RowVectors {
    const all = new Float32Array(count * this.dim);
    for (const [row, vector] of this.#vectors) if (row < count) all.set(vector, row * this.dim);
    return new HeldVectors(all, this.dim);
  }

  async search(vector: Float32Array, k: number, allowed: RowBitmap): Promise<VectorMatch[]> {
    assertVectors(vector, 1, this.dim);
    const rows = RowSet.from(allowed);
    return this.#nearest(vector, k, (row) => rows.has(row));
  }

  async searchMany(queries: Float32Array, k: number, allowed: RowBitmap): Promise<NeighborBlock> {
    const rows = RowSet.from(allowed);
    const found = Array.from({ length: queries.length / this.dim }, (_, query) =>
      this.#nearest(queries.subarray(query * this.dim, (query + 1) * this.dim), k, (row) => rows.has(row)),
    );
    return blockOf(0, k, found);
  }

  async similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array> {
    return Float32Array.from(rows, (row) => {
      const other = this.#vectors.get(row);
      return other ? innerProduct(vector, 0, other, 0, this.dim) : Number.NEGATIVE_INFINITY;
    });
  }

  async *load(): AsyncGenerator<void> {
    // All vectors are already in memory.
  }

  async index({ version, count, dead_rows }: IndexOptions): Promise<BuiltIndex> {
    const dead = new Set(dead_rows);
    this.#dead.set(version, dead);
    const blank = Array.from({ length: count }, (_, row) => row).filter((row) => {
      return !dead.has(row) && !this.#vectors.get(row)?.some((component) => component !== 0);
    });
    return { blank_rows: Int32Array.from(blank), recall: 1, sha256: {} };
  }

  copyOut(): Promise<void> {
    return Promise.resolve();
  }

  countCopied(): number {
    return 0;
  }

  async dropIndex(version: number): Promise<void> {
    this.#dead.delete(version);
  }

  checkIndex(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async *neighbors({ version, count }: IndexVersion): AsyncGenerator<NeighborBlock> {
    const dead = this.#dead.get(version) ?? new Set();
    const step = 100;
    for (let first = 0; first < count; first += step) {
      const found = Array.from({ length: Math.min(step, count - first) }, (_, at) => {
        const vector = this.#vectors.get(first + at);
        const isOther = (row: number) => row !== first + at && row < count && !dead.has(row);
        return vector ? this.#nearest(vector, NEIGHBORS, isOther) : [];
      });
      yield blockOf(first, NEIGHBORS, found);
    }
  }

  reserve(): Promise<void> {
    return Promise.resolve();
  }

  async check(from: number, to: number): Promise<DamagedRows> {
    const rows = Array.from({ length: to - from }, (_, at) => from + at);
    return { missing: [], damaged: [], blank: rows.filter((row) => !this.#vectors.has(row)) };
  }

  setAside(rows: Int32Array): Promise<void> {
    return this.remove(rows);
  }

  async wasStored(row: number, vector: Float32Array): Promise<boolean> {
    return this.#vectors.get(row)?.every((value, at) => value === vector[at]) ?? false;
  }

  #nearest(vector: Float32Array, k: number, isAllowed: (row: number) => boolean): VectorMatch[] {
    const top = new TopRows(k);
    for (const [row, other] of this.#vectors) {
      if (isAllowed(row)) top.offer(row, innerProduct(vector, 0, other, 0, this.dim));
    }
    return top.best();
  }
}

function blockOf(first: number, k: number, found: readonly VectorMatch[][]): NeighborBlock {
  const rows = new Int32Array(found.length * k).fill(-1);
  const similarities = new Float32Array(found.length * k);
  for (const [nth, matches] of found.entries()) {
    for (const [at, { row, similarity }] of matches.entries()) {
      rows[nth * k + at] = row;
      similarities[nth * k + at] = similarity;
    }
  }
  return { first, k, rows, similarities };
}
