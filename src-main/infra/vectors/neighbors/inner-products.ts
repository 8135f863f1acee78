import type { InferenceSession, TensorConstructor, TypedTensor } from 'onnxruntime-node';
import { resourceFile } from '../../resources.ts';

/** Computes inner products of many vectors with many others, as one matrix product by ONNX Runtime. */
export class InnerProducts {
  readonly #session: InferenceSession;
  readonly #Tensor: TensorConstructor;
  readonly #dim: number;
  #room = new Float32Array();

  private constructor(session: InferenceSession, Tensor: TensorConstructor, dim: number) {
    this.#session = session;
    this.#Tensor = Tensor;
    this.#dim = dim;
  }

  static async open(dim: number, threads: number): Promise<InnerProducts> {
    // Loaded at the first use: the server and most threads of datasets never search, and the library takes part of each start.
    const { InferenceSession, Tensor } = await import('onnxruntime-node');
    const session = await InferenceSession.create(resourceFile('models', 'inner-products.onnx'), {
      intraOpNumThreads: threads,
      logSeverityLevel: 3,
    });
    return new InnerProducts(session, Tensor, dim);
  }

  /** @returns m × n products of m queries with n vectors, both with `dim` floats per row; valid until the next call. */
  async of(queries: Float32Array, vectors: Float32Array): Promise<Float32Array> {
    const shape = [queries.length / this.#dim, vectors.length / this.#dim] as const;
    const size = shape[0] * shape[1];
    if (this.#room.length < size) this.#room = new Float32Array(size);
    const products = this.#room.subarray(0, size);
    await this.#session.run(
      { queries: this.#tensor(queries), vectors: this.#tensor(vectors) },
      { products: new this.#Tensor('float32', products, shape) },
    );
    return products;
  }

  /** Frees the runtime's memory; the object cannot be used afterwards. */
  async close(): Promise<void> {
    await this.#session.release();
  }

  #tensor(vectors: Float32Array): TypedTensor<'float32'> {
    return new this.#Tensor('float32', vectors, [vectors.length / this.#dim, this.#dim]);
  }
}
