import { parentPort, workerData } from 'node:worker_threads';
import { ExactIndex } from '../../../src-main/infra/vectors/exact-index.ts';

/** A thread that answers one search, and one more for each message; after the word `close` it ends, with its session left as it is. */
const { vectors, dim, count } = workerData as { vectors: Float32Array; dim: number; count: number };
const index = await ExactIndex.open({ vectors, dim, count, threads: 2 });
parentPort?.postMessage(await index.search(vectors.slice(0, dim), 5));
parentPort?.on('message', async (message: 'once more' | 'close') => {
  if (message === 'close') parentPort?.close();
  else parentPort?.postMessage(await index.search(vectors.slice(dim, 2 * dim), 5));
});
