import { expect, it } from 'vitest';
import { Dendrogram } from '../../../src-main/infra/vectors/clustering/dendrogram.ts';
import { innerProduct, seededRandom } from '../../../src-main/infra/vectors/rows.ts';

const DIM = 5;
const ROWS = 60;

it('a dendrogram has the average of all pairs between groups, for any order of merges', () => {
  const random = seededRandom(3);
  const vectors = Float32Array.from({ length: ROWS * DIM }, () => random() - 0.5);
  const groups = new Dendrogram(vectors, DIM, ROWS);
  const members = new Map(Array.from({ length: ROWS }, (_, row) => [row, [row]]));
  while (members.size > 1) {
    const ids = [...members.keys()];
    const [a = 0] = ids.splice(Math.floor(random() * ids.length), 1);
    const [b = 0] = ids.splice(Math.floor(random() * ids.length), 1);
    const [ofA, ofB] = [members.get(a) ?? [], members.get(b) ?? []];
    const products = ofA.flatMap((x) => ofB.map((y) => innerProduct(vectors, x * DIM, vectors, y * DIM, DIM)));
    const average = products.reduce((sum, value) => sum + value, 0) / products.length;
    expect(groups.averageSimilarity(a, b)).toBeCloseTo(average, 5);
    const merged = groups.merge(a, b);
    members.delete(a);
    members.delete(b);
    members.set(merged, [...ofA, ...ofB]);
    expect(groups.sizeOf(merged)).toBe(ofA.length + ofB.length);
    for (const row of [...ofA, ...ofB]) expect(groups.groupOf(row)).toBe(merged);
  }
});
