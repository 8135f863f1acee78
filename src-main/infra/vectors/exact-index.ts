import ort from 'onnxruntime-node';
import { buildOnnxModel } from '../models/onnx-writer.ts';

export interface Neighbor {
  row: number;
  /** Cosine similarity, -1 … 1. */
  similarity: number;
}

/**
 * Exact nearest neighbours by inner product: one MatMul and TopK over all vectors, run by ONNX Runtime.
 */
export class ExactIndex {
  readonly #session: ort.InferenceSession;
  readonly #vectors: ort.Tensor;
  readonly #dim: number;
  readonly #count: number;

  private constructor(session: ort.InferenceSession, vectors: Float32Array, dim: number, count: number) {
    this.#session = session;
    this.#vectors = new ort.Tensor('float32', vectors, [count, dim]);
    this.#dim = dim;
    this.#count = count;
  }

  /** @param options.vectors `count` L2-normalised rows of `dim` floats; kept, not copied. */
  static async open(options: {
    vectors: Float32Array;
    dim: number;
    count: number;
    threads?: number;
  }): Promise<ExactIndex> {
    const session = await ort.InferenceSession.create(searchModel(options.dim), {
      intraOpNumThreads: options.threads ?? 2,
      logSeverityLevel: 3,
    });
    return new ExactIndex(session, options.vectors, options.dim, options.count);
  }

  async search(query: Float32Array, k: number): Promise<Neighbor[]> {
    const { rows, similarities } = await this.searchMany(query, k);
    return Array.from(rows, (row, index) => ({ row, similarity: similarities[index] ?? 0 }));
  }

  /** @param queries m rows; returns m × min(k, count), best first. */
  async searchMany(queries: Float32Array, k: number): Promise<{ rows: Int32Array; similarities: Float32Array }> {
    const limit = Math.min(k, this.#count);
    const output = await this.#session.run({
      queries: new ort.Tensor('float32', queries, [queries.length / this.#dim, this.#dim]),
      vectors: this.#vectors,
      k: new ort.Tensor('int64', BigInt64Array.of(BigInt(limit)), [1]),
    });
    const rows = output.rows?.data as BigInt64Array;
    return { rows: Int32Array.from(rows, Number), similarities: output.similarities?.data as Float32Array };
  }
}

function searchModel(dim: number): Uint8Array {
  return buildOnnxModel({
    name: 'exact-search',
    opset: 17,
    inputs: [
      { name: 'queries', type: 'float32', shape: ['m', dim] },
      { name: 'vectors', type: 'float32', shape: ['n', dim] },
      { name: 'k', type: 'int64', shape: [1] },
    ],
    outputs: [
      { name: 'similarities', type: 'float32', shape: ['m', 'k'] },
      { name: 'rows', type: 'int64', shape: ['m', 'k'] },
    ],
    nodes: [
      { op: 'Transpose', inputs: ['vectors'], outputs: ['columns'], attributes: { perm: { ints: [1, 0] } } },
      { op: 'MatMul', inputs: ['queries', 'columns'], outputs: ['scores'] },
      {
        op: 'TopK',
        inputs: ['scores', 'k'],
        outputs: ['similarities', 'rows'],
        attributes: { axis: { int: -1 }, largest: { int: 1 }, sorted: { int: 1 } },
      },
    ],
  });
}
