import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PairHeap } from '../../../src-main/infra/vectors/pair-heap.ts';
import { PairSet } from '../../../src-main/infra/vectors/pair-set.ts';
import { seededRandom } from '../../../src-main/infra/vectors/rows.ts';

const pairs = fc.array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.nat(20), fc.nat(20)), { maxLength: 200 });

it('a heap of pairs gives the best first, equal ones by number, also while others come in', () => {
  fc.assert(
    fc.property(pairs, fc.nat(200), (given, early) => {
      const heap = new PairHeap(0);
      const held = new Set<readonly [number, number, number]>();
      const expectPopOfBest = () => {
        const [wanted] = [...held].sort(
          ([s, a, b], [otherS, otherA, otherB]) => otherS - s || a - otherA || b - otherB,
        );
        expect(heap.peek()).toBe(wanted?.[0] ?? Number.NEGATIVE_INFINITY);
        expect(heap.pop()).toBe(wanted !== undefined);
        if (wanted === undefined) return;
        expect([heap.similarity, heap.a, heap.b]).toEqual(wanted);
        held.delete(wanted);
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

it('a set of pairs takes each once, also when it has grown', () => {
  const random = seededRandom(7);
  const set = new PairSet(200_000);
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
