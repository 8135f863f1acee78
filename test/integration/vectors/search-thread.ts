import { parentPort, workerData } from 'node:worker_threads';
import { InnerProducts } from '../../../src-main/infra/vectors/neighbors/inner-products.ts';

/** A thread that computes one inner product, and one more per message. After the message `close` it exits without closing its session. */
const { vectors, dim } = workerData as { vectors: Float32Array; dim: number };
const products = await InnerProducts.open(dim, 2);
parentPort?.postMessage(await products.of(vectors.slice(0, dim), vectors));
parentPort?.on('message', async (message: 'once more' | 'close') => {
  if (message === 'close') parentPort?.close();
  else parentPort?.postMessage(await products.of(vectors.slice(dim, 2 * dim), vectors));
});
