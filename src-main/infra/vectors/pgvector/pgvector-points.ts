import pg from 'pg';
import type { EngineConnection } from '../../../core/ports/external-engine.ts';
import type { PointIndex } from '../external/point-index.ts';
import type { RowSet } from '../row-set.ts';

/** Maximum number of connections of one thread. */
const MAX_CONNECTIONS = 4;
const [CONNECT_TIMEOUT_MS, QUERY_TIMEOUT_MS, IDLE_TIMEOUT_MS] = [5_000, 600_000, 10_000];
/** An index of millions of rows takes hours to build. */
const INDEX_TIMEOUT_MS = 24 * 3_600_000;
/** Memory for building an index, where the server allows less. On disk, the graph of 100,000 rows takes 1.6 times as long. */
const INDEX_MEMORY_MIB = 1024;
/** Up to this many allowed rows are compared one by one, without the HNSW index. */
const MAX_COMPARED_ROWS = 5_000;
/** Dimensions up to which pgvector indexes the type `vector`. */
const MAX_INDEXED_DIM = 2_000;
/** Candidates that a walk of the HNSW graph holds: limits of pgvector, and this many times the number of answers. */
const [MIN_EF, MAX_EF, EF_PER_ANSWER] = [100, 1_000, 2];
/** Rows that a walk may visit at least before it gives up filling the answers: the default of pgvector. */
const MIN_SCAN_TUPLES = 20_000;
/** Memory of a walk, as a multiple of the server's `work_mem`. */
const SCAN_MEMORY = 4;

/**
 * Points in PostgreSQL with the extension pgvector (0.8 or newer, for iterative scans): one table per collection, `row` and `embedding`. A filter
 * is sent as a bitmap and tested during the scan, which continues until enough rows pass.
 */
export class PgvectorPoints implements PointIndex {
  readonly #connection: EngineConnection;
  #pool: pg.Pool | undefined;

  constructor(connection: EngineConnection) {
    this.#connection = connection;
  }

  async create(collection: string, dim: number): Promise<void> {
    await this.#run('CREATE EXTENSION IF NOT EXISTS vector');
    await this.#run(
      `CREATE TABLE ${nameOf(collection)} ("row" integer PRIMARY KEY, embedding vector(${Math.trunc(dim)}) NOT NULL)`,
    );
  }

  async exists(collection: string): Promise<boolean> {
    const { rows } = await this.#run('SELECT to_regclass($1) IS NOT NULL AS exists', [nameOf(collection)]);
    return rows[0]?.exists === true;
  }

  async upsert(collection: string, rows: Int32Array, vectors: Float32Array): Promise<void> {
    const dim = vectors.length / rows.length;
    const texts = Array.from(rows, (_, at) => textOf(vectors.subarray(at * dim, (at + 1) * dim)));
    await this.#run(
      `INSERT INTO ${nameOf(collection)} ("row", embedding) SELECT given."row", given.embedding::vector
       FROM unnest($1::int[], $2::text[]) AS given ("row", embedding)
       ON CONFLICT ("row") DO UPDATE SET embedding = excluded.embedding`,
      [[...rows], texts],
    );
  }

  async remove(collection: string, rows: Int32Array): Promise<void> {
    await this.#run(`DELETE FROM ${nameOf(collection)} WHERE "row" = ANY ($1::int[])`, [[...rows]]);
  }

  async finish(collection: string, dim: number): Promise<void> {
    if (dim <= MAX_INDEXED_DIM) await this.#index(collection);
    await this.#run(`ANALYZE ${nameOf(collection)}`);
  }

  #index(collection: string): Promise<void> {
    return this.#transaction(async (client) => {
      await client.query(
        `SELECT set_config('maintenance_work_mem', '${INDEX_MEMORY_MIB}MB', true)
         WHERE pg_size_bytes(current_setting('maintenance_work_mem')) < ${INDEX_MEMORY_MIB}::bigint * 1048576`,
      );
      const index = nameOf(`${collection}_hnsw`);
      const text = `CREATE INDEX IF NOT EXISTS ${index} ON ${nameOf(collection)} USING hnsw (embedding vector_ip_ops)`;
      await client.query(Object.assign({ text }, { query_timeout: INDEX_TIMEOUT_MS }));
    });
  }

  async search(collection: string, vector: Float32Array, k: number, allowed: RowSet): Promise<Int32Array> {
    const nAllowed = allowed.count;
    const isCompared = nAllowed <= MAX_COMPARED_ROWS;
    const [condition, filter] = isCompared
      ? ['WHERE "row" = ANY ($2::int[])', [...allowed.toRows()]]
      : nAllowed === allowed.size
        ? ['WHERE $2::int[] IS NULL', null]
        : ['WHERE get_bit($2::bytea, "row"::bigint) = 1', bytesOf(allowed)];
    const ef = Math.min(MAX_EF, Math.max(MIN_EF, EF_PER_ANSWER * k));
    return this.#transaction(async (client) => {
      await client.query(
        isCompared
          ? 'SET LOCAL enable_indexscan = off'
          : `SET LOCAL hnsw.ef_search = ${ef}; SET LOCAL hnsw.iterative_scan = relaxed_order;
             SET LOCAL hnsw.max_scan_tuples = ${Math.max(MIN_SCAN_TUPLES, allowed.size)};
             SET LOCAL hnsw.scan_mem_multiplier = ${SCAN_MEMORY}`,
      );
      const { rows } = await client.query(
        `SELECT "row" FROM ${nameOf(collection)} ${condition} ORDER BY embedding <#> $1::vector LIMIT $3`,
        [textOf(vector), filter, k],
      );
      return Int32Array.from(rows as { row: number }[], ({ row }) => row);
    });
  }

  async drop(collection: string): Promise<void> {
    await this.#run(`DROP TABLE IF EXISTS ${nameOf(collection)}`);
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.end();
  }

  /** Runs statements with settings of their own, which end with the transaction. A connection that fails is not used again. */
  async #transaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#open().connect();
    // Also emitted when the connection breaks, in addition to the error of the statement.
    client.on('error', ignore);
    let failed = true;
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      failed = false;
      return result;
    } finally {
      client.release(failed);
      client.removeListener('error', ignore);
    }
  }

  #run(statement: string, values?: unknown[]): Promise<pg.QueryResult> {
    return this.#open().query(statement, values);
  }

  #open(): pg.Pool {
    if (this.#pool) return this.#pool;
    const { url, key } = this.#connection;
    const pool = new pg.Pool({
      connectionString: url,
      ...(key !== '' && { password: key }),
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      allowExitOnIdle: true,
    });
    // A connection that breaks while it is idle is replaced with the next call.
    pool.on('error', ignore);
    this.#pool = pool;
    return pool;
  }
}

const ignore = () => undefined;

function nameOf(collection: string): string {
  return pg.escapeIdentifier(collection);
}

function textOf(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

/** The bitmap as `get_bit` reads it: bit n is bit n % 8 of byte n / 8. */
function bytesOf({ words }: RowSet): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength);
}
