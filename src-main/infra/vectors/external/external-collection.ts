import { randomUUID } from 'node:crypto';
import type { ExternalKind } from '../../../core/ports/external-engine.ts';
import type {
  BuiltIndex,
  CopyOptions,
  DamagedRows,
  IndexOptions,
  IndexVersion,
  JobOptions,
  LoadDepth,
  NeighborBlock,
  RowBitmap,
  RowVectors,
  VectorCollection,
  VectorMatch,
} from '../../../core/ports/vector-engine.ts';
import type { BuiltInCollection } from '../built-in/built-in-collection.ts';
import { RowSet } from '../row-set.ts';
import { hasVector, innerProduct } from '../rows.ts';
import { TopRows } from '../top-rows.ts';
import { assertVectors } from '../vector-checks.ts';
import type { IndexRecord, IndexRecordFiles } from './index-record.ts';
import type { PointIndex } from './point-index.ts';

/** Vectors per request while vectors are copied to the engine. */
const COPIED_ROWS = 500;
/** Rows between two notes of how far a copy is. An interrupted copy sends at most as many again. */
const NOTED_ROWS = 10_000;
/** Milliseconds between reports while the engine builds its index, which tell that the job is not hung. */
const REPORT_MS = 10_000;
/** Vectors read from files at a time. */
const READ_ROWS = 4096;

interface Parts {
  local: BuiltInCollection;
  records: IndexRecordFiles;
  kind: ExternalKind;
  points: PointIndex;
}

/**
 * A space whose searches an external engine answers. Vectors are recorded in the generation's files as with the built-in engine, so
 * snapshots, backups, jobs and a lost server need nothing from outside: see `docs/decisions/external-engines-search.md`. The engine finds
 * candidates among the rows that were copied to it; rows that are newer or changed since are compared here, and so are the candidates, so
 * that similarities are exact. A space that was not copied yet is searched by the built-in engine.
 */
export class ExternalCollection implements VectorCollection {
  readonly dim: number;
  readonly #local: BuiltInCollection;
  readonly #records: IndexRecordFiles;
  readonly #kind: ExternalKind;
  readonly #points: PointIndex;

  constructor({ local, records, kind, points }: Parts) {
    this.dim = local.dim;
    this.#local = local;
    this.#records = records;
    this.#kind = kind;
    this.#points = points;
  }

  async search(vector: Float32Array, k: number, allowed: RowBitmap): Promise<VectorMatch[]> {
    assertVectors(vector, 1, this.dim);
    const record = this.#findCopied();
    if (!record) return this.#local.search(vector, k, allowed);
    const rows = RowSet.from(allowed);
    const changed = RowSet.of(record.count, this.#records.changedSince(record.n_changes));
    const copied = new RowSet(record.count).or(rows.below(record.count)).without(changed);
    const found = copied.isEmpty
      ? new Int32Array()
      : (await this.#points.search(record.collection, vector, k, copied)).filter((row) => copied.has(row));
    const top = new TopRows(k);
    await this.#compare(vector, found, top);
    await this.#compare(vector, rows.without(copied).toRows(), top);
    return top.best();
  }

  /** Copies the vectors that the engine does not have yet. A copy that was interrupted continues. */
  async copyOut({ count, isFirst, onProgress, signal }: CopyOptions): Promise<void> {
    const points = this.#points;
    const known = this.#findRecord();
    if (!known && !isFirst) return;
    const isThere = known !== undefined && (await points.exists(known.collection));
    let record = isThere ? known : await this.#create(points);
    const { collection } = record;
    const start = Math.max(record.count, (record.n_sent ?? 0) - NOTED_ROWS);
    const changed = this.#records.changedSince(record.n_changes);
    const again = Int32Array.from(new Set(changed.filter((row) => row < start))).sort();
    for (let at = 0; at < again.length; at += COPIED_ROWS) {
      const rows = again.subarray(at, at + COPIED_ROWS);
      await this.#copyRows(points, collection, rows, await this.#local.fetch(rows));
    }
    for (let first = start; first < count; first += COPIED_ROWS) {
      signal?.throwIfAborted();
      if (first >= (record.n_sent ?? start)) {
        record = { ...record, n_sent: first + NOTED_ROWS };
        this.#records.write(record);
      }
      const rows = Int32Array.from({ length: Math.min(COPIED_ROWS, count - first) }, (_, at) => first + at);
      await this.#copyRows(points, collection, rows, await this.#local.fetch(rows));
      onProgress?.((first + rows.length) / count);
    }
    const reports = setInterval(() => onProgress?.(1), REPORT_MS);
    try {
      await points.finish(collection, this.dim);
    } finally {
      clearInterval(reports);
    }
    this.#records.write({
      kind: this.#kind,
      collection,
      count: Math.max(count, record.count),
      n_changes: record.n_changes + changed.length,
    });
  }

  countCopied(): number {
    return this.#findCopied()?.count ?? 0;
  }

  async upsert(rows: Int32Array, vectors: Float32Array): Promise<void> {
    await this.#local.upsert(rows, vectors);
    this.#records.noteChanged(rows);
  }

  async remove(rows: Int32Array): Promise<void> {
    await this.#local.remove(rows);
    this.#records.noteChanged(rows);
  }

  async setAside(rows: Int32Array): Promise<void> {
    await this.#local.setAside(rows);
    this.#records.noteChanged(rows);
  }

  /** Searches need no vectors in memory; only comparing with many rows does. */
  async *load(depth: LoadDepth): AsyncGenerator<void> {
    if (!this.#findCopied() || depth === 'vectors') yield* this.#local.load(depth);
  }

  count(): Promise<number> {
    return this.#local.count();
  }

  flush(): Promise<void> {
    return this.#local.flush();
  }

  fetch(rows: Int32Array): Promise<Float32Array> {
    return this.#local.fetch(rows);
  }

  fetchRange(first: number, n: number, target?: Float32Array): Promise<Float32Array> {
    return this.#local.fetchRange(first, n, target);
  }

  vectorsOf(count: number, inOrder?: boolean): RowVectors {
    return this.#local.vectorsOf(count, inOrder);
  }

  searchMany(queries: Float32Array, k: number, allowed: RowBitmap, options?: JobOptions): Promise<NeighborBlock> {
    return this.#local.searchMany(queries, k, allowed, options);
  }

  similarities(vector: Float32Array, rows: Int32Array): Promise<Float32Array> {
    return this.#local.similarities(vector, rows);
  }

  index(options: IndexOptions): Promise<BuiltIndex> {
    return this.#local.index(options);
  }

  dropIndex(version: number): Promise<void> {
    return this.#local.dropIndex(version);
  }

  checkIndex(...args: Parameters<VectorCollection['checkIndex']>): ReturnType<VectorCollection['checkIndex']> {
    return this.#local.checkIndex(...args);
  }

  neighbors(index: IndexVersion): AsyncIterable<NeighborBlock> {
    return this.#local.neighbors(index);
  }

  reserve(count: number): Promise<void> {
    return this.#local.reserve(count);
  }

  check(from: number, to: number): Promise<DamagedRows> {
    return this.#local.check(from, to);
  }

  wasStored(row: number, vector: Float32Array): Promise<boolean> {
    return this.#local.wasStored(row, vector);
  }

  /** Returns what the engine can search; undefined while searches are local. */
  #findCopied(): IndexRecord | undefined {
    const record = this.#findRecord();
    return record && record.count > 0 ? record : undefined;
  }

  #findRecord(): IndexRecord | undefined {
    const record = this.#records.find();
    return record?.kind === this.#kind ? record : undefined;
  }

  /** Records the collection before creating it, so that none is left behind. */
  async #create(points: PointIndex): Promise<IndexRecord> {
    const collection = `vitrine_${randomUUID().replaceAll('-', '')}`;
    const record = { kind: this.#kind, collection, count: 0, n_changes: 0 };
    this.#records.write(record);
    await points.create(collection, this.dim);
    return record;
  }

  /** Copies rows that have a vector, and deletes the points of those that have none. */
  async #copyRows(points: PointIndex, collection: string, rows: Int32Array, vectors: Float32Array): Promise<void> {
    const { dim } = this;
    const stored = rows.filter((_, at) => hasVector(vectors, dim, at));
    const blank = rows.filter((_, at) => !hasVector(vectors, dim, at));
    if (blank.length > 0) await points.remove(collection, blank);
    if (stored.length === 0) return;
    await points.upsert(collection, stored, blank.length === 0 ? vectors : await this.#local.fetch(stored));
  }

  async #compare(vector: Float32Array, rows: Int32Array, top: TopRows): Promise<void> {
    for (let at = 0; at < rows.length; at += READ_ROWS) {
      const block = rows.subarray(at, at + READ_ROWS);
      const vectors = await this.#local.fetch(block);
      for (const [nth, row] of block.entries()) {
        if (hasVector(vectors, this.dim, nth))
          top.offer(row, innerProduct(vector, 0, vectors, nth * this.dim, this.dim));
      }
    }
  }
}
