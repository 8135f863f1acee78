import type { InferenceSession, TensorConstructor, TypedTensor } from 'onnxruntime-node';
import { resourceFile } from '../../resources.ts';

/** Sessions by number of threads, with the number of objects that use each: starting one takes as long as a million products. */
const sessions = new Map<number, { opened: Promise<InferenceSession>; nUsers: number }>();

/** Computes inner products of many vectors with many others, as one matrix product by ONNX Runtime. */
export class InnerProducts {
  readonly #session: InferenceSession;
  readonly #Tensor: TensorConstructor;
  readonly #dim: number;
  readonly #threads: number;
  #room = new Float32Array();

  private constructor(session: InferenceSession, Tensor: TensorConstructor, dim: number, threads: number) {
    this.#session = session;
    this.#Tensor = Tensor;
    this.#dim = dim;
    this.#threads = threads;
  }

  static async open(dim: number, threads: number): Promise<InnerProducts> {
    // Loaded at the first use: the server and most threads of datasets never search, and the library takes part of each start.
    const { InferenceSession, Tensor } = await import('onnxruntime-node');
    const create = () =>
      InferenceSession.create(resourceFile('models', 'inner-products.onnx'), {
        intraOpNumThreads: threads,
        logSeverityLevel: 3,
        enableCpuMemArena: false,
        // Threads sleep between two products. By default they wait actively, which took a quarter of an index's processor time and saved none:
        // https://onnxruntime.ai/docs/performance/tune-performance/threading.html
        extra: { session: { intra_op: { allow_spinning: '0' } } },
      });
    const shared = sessions.get(threads) ?? { opened: create(), nUsers: 0 };
    sessions.set(threads, shared);
    shared.nUsers += 1;
    try {
      return new InnerProducts(await shared.opened, Tensor, dim, threads);
    } catch (error) {
      sessions.delete(threads);
      throw error;
    }
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

  /** The object cannot be used afterwards. The last one to close frees the runtime's memory. */
  async close(): Promise<void> {
    const shared = sessions.get(this.#threads);
    if (!shared) return;
    shared.nUsers -= 1;
    if (shared.nUsers > 0) return;
    sessions.delete(this.#threads);
    await this.#session.release();
  }

  #tensor(vectors: Float32Array): TypedTensor<'float32'> {
    return new this.#Tensor('float32', vectors, [vectors.length / this.#dim, this.#dim]);
  }
}
