import { describe, expect, it } from 'vitest';
import { Dendrogram } from '../../../src-main/infra/vectors/dendrogram.ts';
import { PairHeap } from '../../../src-main/infra/vectors/pair-heap.ts';
import { PairSet } from '../../../src-main/infra/vectors/pair-set.ts';
import { innerProduct, seededRandom } from '../../../src-main/infra/vectors/rows.ts';

const DIM = 5;
const ROWS = 60;

describe('Dendrogram', () => {
  it('knows the average of all pairs between groups, whatever was merged in whatever order', () => {
    const random = seededRandom(3);
    const vectors = Float32Array.from({ length: ROWS * DIM }, () => random() - 0.5);
    const groups = new Dendrogram(vectors, DIM, ROWS);
    const members = new Map(Array.from({ length: ROWS }, (_, row) => [row, [row]]));
    while (members.size > 1) {
      const ids = [...members.keys()];
      const [a = 0] = ids.splice(Math.floor(random() * ids.length), 1);
      const [b = 0] = ids.splice(Math.floor(random() * ids.length), 1);
      const [of_a, of_b] = [members.get(a) ?? [], members.get(b) ?? []];
      const products = of_a.flatMap((x) => of_b.map((y) => innerProduct(vectors, x * DIM, vectors, y * DIM, DIM)));
      const average = products.reduce((sum, value) => sum + value, 0) / products.length;
      expect(groups.averageSimilarity(a, b)).toBeCloseTo(average, 5);
      const merged = groups.merge(a, b);
      members.delete(a);
      members.delete(b);
      members.set(merged, [...of_a, ...of_b]);
      expect(groups.sizeOf(merged)).toBe(of_a.length + of_b.length);
      for (const row of [...of_a, ...of_b]) expect(groups.groupOf(row)).toBe(merged);
    }
  });
});

describe('PairHeap', () => {
  it('gives pairs by similarity, equal ones by their numbers', () => {
    const random = seededRandom(5);
    const pairs = Array.from({ length: 500 }, () => ({
      similarity: Math.floor(random() * 20) / 20,
      a: Math.floor(random() * 30),
      b: Math.floor(random() * 30),
    }));
    const heap = new PairHeap(0);
    for (const { similarity, a, b } of pairs) heap.push(similarity, a, b);
    const popped: typeof pairs = [];
    while (heap.pop()) popped.push({ similarity: heap.similarity, a: heap.a, b: heap.b });
    expect(popped).toEqual(pairs.toSorted((x, y) => y.similarity - x.similarity || x.a - y.a || x.b - y.b));
    expect(heap.peek()).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('PairSet', () => {
  it('holds each pair once, also when it has grown', () => {
    const random = seededRandom(7);
    const set = new PairSet(100_000);
    const known = new Set<string>();
    for (let at = 0; at < 20_000; at += 1) {
      const [a, b] = [Math.floor(random() * 200), 50_000 + Math.floor(random() * 100)];
      expect(set.add(a, b)).toBe(!known.has(`${a} ${b}`));
      known.add(`${a} ${b}`);
    }
  });
});
