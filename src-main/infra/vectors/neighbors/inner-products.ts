import type { InferenceSession, TensorConstructor, TypedTensor } from 'onnxruntime-node';
import { resourceFile } from '../../resources.ts';
import { MAX_PAGES, PAGE_BYTES, vectorKernels } from '../vector-kernels.ts';

const FLOAT_BYTES = 4;

/** Sessions by number of threads, with the number of objects that use each: starting one takes as long as a million products. */
const sessions = new Map<number, { opened: Promise<InferenceSession>; nUsers: number }>();

/** Some of the products of a query, valid until the next selection: the products, and the places of the vectors. */
export interface Best {
  products: Float32Array;
  places: Int32Array;
}

/**
 * Computes inner products of many vectors with many others, as one matrix product by ONNX Runtime, and selects among them. They are in a
 * memory of the kernels, followed by a bar of each vector, and by space for a selection.
 */
export class InnerProducts {
  readonly #session: InferenceSession;
  readonly #Tensor: TensorConstructor;
  readonly #dim: number;
  readonly #threads: number;
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
  readonly #kernels = vectorKernels(this.#memory);
  /** Number of vectors that the queries were last compared with. */
  #n = 0;
  #products = new Float32Array();
  #bars = new Float32Array();
  #best = new Float32Array();
  #places = new Int32Array();

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
    const products = this.#makeRoom(shape[0] * shape[1], shape[1]);
    await this.#session.run(
      { queries: this.#tensor(queries), vectors: this.#tensor(vectors) },
      { products: new this.#Tensor('float32', products, shape) },
    );
    return products;
  }

  /** The products from which {@link from} selects besides those from its bar on, one for each vector; at first none is reached. */
  get bars(): Float32Array {
    return this.#bars;
  }

  /** The product of the nth query with the vector at a place. */
  at(nth: number, place: number): number {
    return this.#products[nth * this.#n + place] as number;
  }

  /** Selects the `k` best products of the nth query, best first, equal ones in the order of vectors. */
  best(nth: number, k: number): Best {
    const n = this.#n;
    const from = nth * n * FLOAT_BYTES;
    const [best, places] = [this.#best, this.#places];
    const found = this.#kernels.bestOf(from, n, Math.min(k, n), best.byteOffset, places.byteOffset);
    return { products: best.subarray(0, found), places: places.subarray(0, found) };
  }

  /** Selects the places of vectors whose product with the nth query is at least `bar`, or at least their own bar; ascending. */
  from(nth: number, bar: number): Int32Array {
    const n = this.#n;
    const [from, bars, places] = [nth * n * FLOAT_BYTES, this.#bars.byteOffset, this.#places.byteOffset];
    return this.#places.subarray(0, this.#kernels.placesFrom(from, bars, n, bar, places));
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

  /** @param n Number of vectors. @returns Room for products. */
  #makeRoom(nProducts: number, n: number): Float32Array {
    const missing = (nProducts + 3 * n) * FLOAT_BYTES - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    const { buffer } = this.#memory;
    const at = nProducts * FLOAT_BYTES;
    this.#n = n;
    this.#bars = new Float32Array(buffer, at, n).fill(Number.POSITIVE_INFINITY);
    this.#best = new Float32Array(buffer, at + n * FLOAT_BYTES, n);
    this.#places = new Int32Array(buffer, at + 2 * n * FLOAT_BYTES, n);
    this.#products = new Float32Array(buffer, 0, nProducts);
    return this.#products;
  }

  #tensor(vectors: Float32Array): TypedTensor<'float32'> {
    return new this.#Tensor('float32', vectors, [vectors.length / this.#dim, this.#dim]);
  }
}
