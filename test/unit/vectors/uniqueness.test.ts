import { expect, it } from 'vitest';
import { buildNeighborGraph } from '../../../src-main/infra/vectors/built-in/build-graph.ts';
import { HeldVectors } from '../../../src-main/infra/vectors/row-vectors.ts';
import { uniquenessScores } from '../../../src-main/infra/vectors/uniqueness.ts';
import { bunches } from './make-vectors.ts';

const DIM = 16;
const COUNT = 40;

async function scoresOf(vectors: Float32Array, dead: ReadonlySet<number> = new Set()): Promise<Float32Array> {
  return uniquenessScores(
    await buildNeighborGraph({ vectors: new HeldVectors(vectors, DIM), count: COUNT, dead, threads: 1 }),
    dead,
  );
}

it('is exactly 0 for a row with an exact duplicate, and for no other', async () => {
  const vectors = bunches({ count: COUNT, dim: DIM, groups: COUNT, spread: 0.1, seed: 5 });
  vectors.copyWithin(7 * DIM, 3 * DIM, 4 * DIM);
  const scores = await scoresOf(vectors);
  expect([...scores].flatMap((score, row) => (score === 0 ? [row] : []))).toEqual([3, 7]);

  // A removed row does not count as a duplicate.
  const without = await scoresOf(vectors, new Set([7]));
  expect(without[3]).toBeGreaterThan(0.01);
});
