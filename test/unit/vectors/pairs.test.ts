import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PairHeap } from '../../../src-main/infra/vectors/clustering/pair-heap.ts';
import { PairQueue } from '../../../src-main/infra/vectors/clustering/pair-queue.ts';
import { PairSet } from '../../../src-main/infra/vectors/clustering/pair-set.ts';
import { highestFirst } from '../../../src-main/infra/vectors/highest-first.ts';
import { emptyGraph, offerNeighbor } from '../../../src-main/infra/vectors/neighbors/neighbor-graph.ts';
import { seededRandom } from '../../../src-main/infra/vectors/rows.ts';

const pairs = fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.nat(20), fc.nat(20)), { maxLength: 200 });

it('a heap of pairs returns the best first, equal ones by number, also while others are added', () => {
  fc.assert(
    fc.property(pairs, fc.nat(200), (given, early) => {
      const heap = new PairHeap();
      const held = new Set<readonly [number, number, number]>();
      const expectPopOfBest = () => {
        const [expected] = [...held].sort(
          ([s, a, b], [otherS, otherA, otherB]) => otherS - s || a - otherA || b - otherB,
        );
        expect(heap.peek()).toBe(expected?.[0] ?? Number.NEGATIVE_INFINITY);
        expect(heap.pop()).toBe(expected !== undefined);
        if (expected === undefined) return;
        expect([heap.similarity, heap.a, heap.b]).toEqual(expected);
        held.delete(expected);
      };
      for (const [nth, pair] of given.entries()) {
        heap.push(...pair);
        held.add(pair);
        if (nth >= early) expectPopOfBest();
      }
      while (held.size > 0) expectPopOfBest();
      expectPopOfBest();
    }),
    { seed: 4 },
  );
});

it('a queue of pairs returns connected pairs once, and pairs added meanwhile, the best first', () => {
  const edge = fc.tuple(fc.integer({ min: -4, max: 4 }), fc.nat(11), fc.nat(11));
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 80 }), pairs, fc.integer({ min: -4, max: 1 }), (edges, later, lowest) => {
      const graph = emptyGraph(12, 11);
      const expected = new Map<string, number>();
      for (const [similarity, a, b] of edges) {
        const name = `${Math.min(a, b)} ${Math.max(a, b)}`;
        // Row 11 is not in the queue. Its pairs are removed from `expected` below.
        if (a === b || expected.has(name)) continue;
        offerNeighbor(graph, a, b, similarity);
        if (similarity % 2 === 0) offerNeighbor(graph, b, a, similarity);
        expected.set(name, similarity);
      }
      for (const [name, similarity] of expected) {
        if (similarity < lowest || name.endsWith(' 11')) expected.delete(name);
      }
      const rows = Int32Array.from({ length: 11 }, (_, row) => row);
      const queue = new PairQueue(graph, rows, { groupOf: (row) => row });
      queue.queueRows(lowest);
      const left = [...expected].map(([name, similarity]) => `${similarity} ${name}`);
      const scoreOf = (pair: string) => Number(pair.split(' ')[0]);
      const expectPopOfBest = () => {
        const best = Math.max(...left.map(scoreOf));
        expect(queue.peek()).toBe(best);
        expect(queue.pop()).toBe(left.length > 0);
        if (left.length === 0) return;
        const popped = `${queue.similarity} ${queue.a} ${queue.b}`;
        expect(scoreOf(popped)).toBe(best);
        expect(left).toContain(popped);
        left.splice(left.indexOf(popped), 1);
      };
      for (const [similarity, a, b] of later) {
        expectPopOfBest();
        queue.push(similarity, a, b);
        left.push(`${similarity} ${a} ${b}`);
      }
      while (left.length > 0) expectPopOfBest();
      expectPopOfBest();
    }),
    { seed: 4 },
  );
});

it('scores are sorted, the highest first, equal ones in order of arrival', () => {
  expect([...highestFirst(Float32Array.of(-1, 0, 2, -0, -0.5, 2, Number.NEGATIVE_INFINITY, 1e-30))]).toEqual([
    2, 5, 7, 1, 3, 4, 0, 6,
  ]);
});

it('a set of pairs forgets those that are not needed before it grows, and no others', () => {
  const set = new PairSet((a, b) => a % 2 === 0 && b % 3 === 0);
  const needed: [number, number][] = [];
  for (let a = 0; a < 300; a += 1) {
    for (let b = 300; b < 500; b += 1) {
      expect(set.add(a, b)).toBe(true);
      if (a % 2 === 0 && b % 3 === 0) needed.push([a, b]);
    }
  }
  for (const [a, b] of needed) expect(set.add(a, b)).toBe(false);
  // Most of the others are forgotten.
  let nForgotten = 0;
  for (let a = 1; a < 200; a += 2) for (let b = 300; b < 500; b += 1) if (set.add(a, b)) nForgotten += 1;
  expect(nForgotten).toBeGreaterThan(10_000);
});

it('a set of pairs contains each once, also after it has grown', () => {
  const random = seededRandom(7);
  const set = new PairSet();
  const known = new Set<string>();
  for (let at = 0; at < 40_000; at += 1) {
    const [a, b] = [Math.floor(random() * 200), 100_000 + Math.floor(random() * 150)];
    expect(set.add(a, b)).toBe(!known.has(`${a} ${b}`));
    known.add(`${a} ${b}`);
  }
  for (const pair of known) {
    const [a = 0, b = 0] = pair.split(' ').map(Number);
    expect(set.add(a, b)).toBe(false);
  }
});
