import { expect, it } from 'vitest';
import { findRegions } from '../../../src-main/infra/vectors/built-in/centre-regions.ts';
import { MOST_PROBES, trainCentres } from '../../../src-main/infra/vectors/built-in/list-centres.ts';
import { findProbedLists } from '../../../src-main/infra/vectors/built-in/probed-lists.ts';
import { InnerProducts } from '../../../src-main/infra/vectors/neighbors/inner-products.ts';
import { HeldVectors } from '../../../src-main/infra/vectors/row-vectors.ts';
import { hasVector, innerProduct, rowsWhere } from '../../../src-main/infra/vectors/rows.ts';
import { layeredVectors } from '../../bench/layered-vectors.ts';
import { manifold } from './make-vectors.ts';

const [COUNT, DIM] = [8000, 64];
const MARGIN = 0.02;

const layered = layeredVectors(COUNT, DIM).next().value ?? new Float32Array();

it.each([
  { set: 'in clusters of clusters', made: layered, areMany: true },
  { set: 'in clusters of clusters and rows without a vector', made: withBlanks(layered), areMany: true },
  { set: 'without clusters', made: manifold({ count: COUNT, dim: DIM, latent: 20, seed: 2 }), areMany: false },
])('rows $set probe the lists that comparing them with all centres gives', async ({ made, areMany }) => {
  const vectors = new HeldVectors(made, DIM);
  const rows = rowsWhere(COUNT, () => true);
  const alive = rows.filter((row) => hasVector(made, DIM, row));
  const products = await InnerProducts.open(DIM, 1);
  const centres = await trainCentres({ vectors, rows: alive, nLists: 90, products });
  const nLists = centres.length / DIM;
  const probing = { vectors, margin: MARGIN, products };
  const found = await findRegions({ ...probing, centres, rows: alive });
  const { offsets, lists } = await findProbedLists(found, { ...probing, rows });
  await products.close();
  const { regions } = found;
  expect(regions.length > 1).toBe(areMany);
  if (areMany) expect(regions[0]?.lists.length).toBeLessThan(nLists / 2);
  let [nHomes, nProbed, nExpected] = [0, 0, 0];
  for (const row of alive) {
    const scores = Float32Array.from({ length: nLists }, (_, at) =>
      innerProduct(made, row * DIM, centres, at * DIM, DIM),
    );
    const best = Math.max(...scores);
    const probed = [...lists.subarray(offsets[row], offsets[row + 1])];
    expect(new Set(probed).size).toBe(probed.length);
    if ((scores[probed[0] ?? 0] as number) >= best - 1e-5) nHomes += 1;
    const near = [...scores.keys()].filter((list) => (scores[list] as number) >= best - MARGIN);
    nExpected += Math.min(near.length, MOST_PROBES);
    nProbed += near.filter((list) => probed.includes(list)).length;
  }
  expect(nHomes / alive.length).toBeGreaterThan(0.995);
  expect(nProbed / nExpected).toBeGreaterThan(0.99);
});

/** The vectors, of which every twentieth is zero. */
function withBlanks(vectors: Float32Array): Float32Array {
  return vectors.map((value, at) => (Math.floor(at / DIM) % 20 === 0 ? 0 : value));
}
