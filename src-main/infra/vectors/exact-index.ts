import ort from 'onnxruntime-node';
import { graphFile } from '../resources.ts';

export interface Neighbor {
  row: number;
  /** Cosine similarity, -1 … 1. */
  similarity: number;
}

/** Scores that one run may hold at once. */
const BLOCK_FLOATS = 16_000_000;
/** Queries of one run at most. */
const BLOCK_ROWS = 1024;

/**
 * Exact nearest neighbours by inner product: one MatMul and TopK over all vectors, run by ONNX Runtime. Equal ones come by row.
 */
export class ExactIndex {
  readonly count: number;
  readonly #session: ort.InferenceSession;
  readonly #vectors: ort.Tensor;
  readonly #dim: number;

  private constructor(session: ort.InferenceSession, vectors: Float32Array, dim: number, count: number) {
    this.count = count;
    this.#session = session;
    this.#vectors = new ort.Tensor('float32', vectors, [count, dim]);
    this.#dim = dim;
  }

  /** @param options.vectors `count` L2-normalised rows of `dim` floats; kept, not copied. */
  static async open(options: {
    vectors: Float32Array;
    dim: number;
    count: number;
    threads?: number;
  }): Promise<ExactIndex> {
    const session = await ort.InferenceSession.create(graphFile('top-k'), {
      intraOpNumThreads: options.threads ?? 2,
      logSeverityLevel: 3,
    });
    return new ExactIndex(session, options.vectors, options.dim, options.count);
  }

  /** Queries that one call of {@link searchMany} over so many vectors should hold. */
  static blockRows(count: number): number {
    return Math.max(1, Math.min(BLOCK_ROWS, Math.floor(BLOCK_FLOATS / Math.max(1, count))));
  }

  async search(query: Float32Array, k: number): Promise<Neighbor[]> {
    const { rows, similarities } = await this.searchMany(query, k);
    return Array.from(rows, (row, index) => ({ row, similarity: similarities[index] ?? 0 }));
  }

  /** @param queries m rows; returns m × min(k, count), best first. */
  async searchMany(queries: Float32Array, k: number): Promise<{ rows: Int32Array; similarities: Float32Array }> {
    const limit = Math.min(k, this.count);
    if (limit === 0 || queries.length === 0) return { rows: new Int32Array(), similarities: new Float32Array() };
    const output = await this.#session.run({
      queries: new ort.Tensor('float32', queries, [queries.length / this.#dim, this.#dim]),
      vectors: this.#vectors,
      k: new ort.Tensor('int64', BigInt64Array.of(BigInt(limit)), [1]),
    });
    return { rows: output.rows?.data as Int32Array, similarities: output.similarities?.data as Float32Array };
  }

  /** Frees the runtime's memory; the index is of no use after it. */
  async close(): Promise<void> {
    await this.#session.release();
  }
}
