import { QdrantClient } from '@qdrant/js-client-rest';
import type { EngineConnection } from '../../../core/ports/external-engine.ts';
import type { PointIndex } from '../external/point-index.ts';
import type { RowSet } from '../row-set.ts';

/** Seconds that a request may take. */
const TIMEOUT_MS = 60_000;
/** Candidates that a walk of the HNSW graph holds: at least this many, and this many times the number of answers. */
const [MIN_EF, EF_PER_ANSWER] = [128, 2];

/** Points in Qdrant, over its REST interface. Point ids are row numbers, and filters are conditions on ids, which the walk applies. */
export class QdrantPoints implements PointIndex {
  readonly #client: QdrantClient;

  constructor({ url, key }: EngineConnection) {
    this.#client = new QdrantClient({
      url,
      // As a header: the client warns on each start about keys over http, which is usual within a private network.
      ...(key !== '' && { headers: { 'api-key': key } }),
      timeout: TIMEOUT_MS,
      checkCompatibility: false,
    });
  }

  async create(collection: string, dim: number): Promise<void> {
    await this.#client.createCollection(collection, { vectors: { size: dim, distance: 'Dot', on_disk: true } });
  }

  async exists(collection: string): Promise<boolean> {
    return (await this.#client.collectionExists(collection)).exists;
  }

  async upsert(collection: string, rows: Int32Array, vectors: Float32Array): Promise<void> {
    const dim = vectors.length / rows.length;
    const points = Array.from(rows, (id, at) => ({ id, vector: [...vectors.subarray(at * dim, (at + 1) * dim)] }));
    await this.#client.upsert(collection, { points, wait: true });
  }

  async remove(collection: string, rows: Int32Array): Promise<void> {
    await this.#client.delete(collection, { points: [...rows], wait: true });
  }

  /** Qdrant indexes by itself. */
  finish(): Promise<void> {
    return Promise.resolve();
  }

  async search(collection: string, vector: Float32Array, k: number, allowed: RowSet): Promise<Int32Array> {
    const filter = filterOf(allowed);
    const { points } = await this.#client.query(collection, {
      query: [...vector],
      limit: k,
      params: { hnsw_ef: Math.max(MIN_EF, EF_PER_ANSWER * k) },
      with_payload: false,
      with_vector: false,
      ...(filter && { filter }),
    });
    return Int32Array.from(points, ({ id }) => Number(id));
  }

  async drop(collection: string): Promise<void> {
    await this.#client.deleteCollection(collection);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Names the allowed rows, or those that are not allowed if these are fewer. */
function filterOf(allowed: RowSet) {
  const others = allowed.size - allowed.count;
  if (others === 0) return undefined;
  return others < allowed.count
    ? { must_not: [{ has_id: [...allowed.not().toRows()] }] }
    : { must: [{ has_id: [...allowed.toRows()] }] };
}
