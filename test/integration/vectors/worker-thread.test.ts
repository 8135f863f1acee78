import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { InnerProducts } from '../../../src-main/infra/vectors/neighbors/inner-products.ts';
import { bunches } from '../../unit/vectors/make-vectors.ts';

const [DIM, COUNT, ROUNDS] = [64, 4000, 20];

describe('ONNX Runtime in threads', () => {
  it('survives threads that start, search and close, even with a pending search, while others continue', async () => {
    const vectors = bunches({ count: COUNT, dim: DIM, groups: 100, spread: 0.4, seed: 1 });
    const start = () =>
      new Worker(join(import.meta.dirname, 'search-thread.ts'), { workerData: { vectors, dim: DIM } });
    const own = await InnerProducts.open(DIM, 2);
    const productsOf = async (row: number) =>
      (await own.of(vectors.slice(row * DIM, (row + 1) * DIM), vectors)).slice();
    const expected = await productsOf(0);
    const staying = start();
    expect((await once(staying, 'message'))[0]).toEqual(expected);
    for (let round = 0; round < ROUNDS; round += 1) {
      const thread = start();
      expect((await once(thread, 'message'))[0]).toEqual(expected);
      if (round % 2 === 1) thread.postMessage('once more');
      expect(await close(thread)).toBe(0);
    }
    staying.postMessage('once more');
    expect((await once(staying, 'message'))[0]).toEqual(await productsOf(1));
    expect(await close(staying)).toBe(0);
    expect(await productsOf(0)).toEqual(expected);
    await own.close();
  });
});

/** Stops a thread as dataset stores are stopped. `terminate()` during a search would abort the process. */
async function close(thread: Worker): Promise<number> {
  const exit = once(thread, 'exit');
  thread.postMessage('close');
  return (await exit)[0] as number;
}
