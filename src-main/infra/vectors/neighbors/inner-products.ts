import ort from 'onnxruntime-node';
import { resourceFile } from '../../resources.ts';

/** Computes inner products of many vectors with many others, as one matrix product by ONNX Runtime. */
export class InnerProducts {
  readonly #session: ort.InferenceSession;
  readonly #dim: number;
  #room = new Float32Array();

  private constructor(session: ort.InferenceSession, dim: number) {
    this.#session = session;
    this.#dim = dim;
  }

  static async open(dim: number, threads: number): Promise<InnerProducts> {
    const session = await ort.InferenceSession.create(resourceFile('models', 'inner-products.onnx'), {
      intraOpNumThreads: threads,
      logSeverityLevel: 3,
    });
    return new InnerProducts(session, dim);
  }

  /** @returns m × n products of m queries with n vectors, both with `dim` floats per row; valid until the next call. */
  async of(queries: Float32Array, vectors: Float32Array): Promise<Float32Array> {
    const shape = [queries.length / this.#dim, vectors.length / this.#dim] as const;
    const size = shape[0] * shape[1];
    if (this.#room.length < size) this.#room = new Float32Array(size);
    const products = this.#room.subarray(0, size);
    await this.#session.run(
      { queries: this.#tensor(queries), vectors: this.#tensor(vectors) },
      { products: new ort.Tensor('float32', products, shape) },
    );
    return products;
  }

  /** Frees the runtime's memory; the object cannot be used afterwards. */
  async close(): Promise<void> {
    await this.#session.release();
  }

  #tensor(vectors: Float32Array): ort.Tensor {
    return new ort.Tensor('float32', vectors, [vectors.length / this.#dim, this.#dim]);
  }
}
