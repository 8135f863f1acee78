import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CodeSlots } from '../../../src-main/infra/vectors/clustering/code-slots.ts';
import { ConnectedRows } from '../../../src-main/infra/vectors/clustering/connected-rows.ts';
import { Dendrogram } from '../../../src-main/infra/vectors/clustering/dendrogram.ts';
import { GroupConnections } from '../../../src-main/infra/vectors/clustering/group-connections.ts';
import { PairHeap } from '../../../src-main/infra/vectors/clustering/pair-heap.ts';
import { PairQueue } from '../../../src-main/infra/vectors/clustering/pair-queue.ts';
import { PairSet } from '../../../src-main/infra/vectors/clustering/pair-set.ts';
import { ScoredPairs } from '../../../src-main/infra/vectors/clustering/scored-pairs.ts';
import { WaitingPairs } from '../../../src-main/infra/vectors/clustering/waiting-pairs.ts';
import { highestFirst } from '../../../src-main/infra/vectors/highest-first.ts';
import {
  emptyGraph,
  type NeighborGraph,
  offerNeighbor,
} from '../../../src-main/infra/vectors/neighbors/neighbor-graph.ts';
import { rowsOfList, seededRandom } from '../../../src-main/infra/vectors/rows.ts';

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

it('a queue of pairs returns connected pairs and pairs added meanwhile, the best first', () => {
  const edge = fc.tuple(fc.integer({ min: -4, max: 4 }), fc.nat(11), fc.nat(11));
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 80 }), pairs, (given, later) => {
      const { graph, similarities } = graphOf(given);
      const queue = new PairQueue(graph);
      const edges = [...graph.rows.keys()].filter((at) => (graph.rows[at] as number) >= 0);
      queue.queueEdges(Int32Array.from(edges));
      const left = edges.map((at) => named(graph, at)).map((name) => `${similarities.get(name)} ${name}`);
      const scoreOf = (pair: string) => Number(pair.split(' ')[0]);
      const expectPopOfBest = () => {
        expect(queue.pop()).toBe(left.length > 0);
        if (left.length === 0) return;
        const popped = `${queue.similarity} ${queue.a} ${queue.b}`;
        expect(scoreOf(popped)).toBe(Math.max(...left.map(scoreOf)));
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

it('groups without edges to other rows are islands, unlike those with edges to rows that are not grouped', () => {
  const { graph } = graphOf([
    [1, 0, 1],
    [1, 2, 3],
    [1, 3, 9],
    [1, 4, 5],
  ]);
  const rows = Int32Array.of(0, 1, 2, 3, 4, 5, 6);
  const slots = new CodeSlots(2, rows.length);
  const groups = new Dendrogram(slots, rows, graph.count);
  const connections = new GroupConnections(graph, rows, groups);
  const waiting = new WaitingPairs(graph, groups, -1);
  expect([...connections.queue(waiting).islands]).toEqual([6]);
  groups.merge(0, 1);
  groups.merge(2, 3);
  expect([...connections.queue(waiting).islands]).toEqual([6, groups.groupOf(0)]);
});

it('connected rows come once, range by range, and no group is in two components', () => {
  const edge = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.nat(11), fc.nat(11));
  const merger = fc.tuple(fc.nat(10), fc.nat(10));
  fc.assert(
    fc.property(
      fc.array(edge, { maxLength: 30 }),
      fc.array(merger, { maxLength: 3 }),
      pairs,
      (given, mergers, more) => {
        const { graph } = graphOf(given);
        // Row 11 takes no part.
        const rows = Int32Array.from({ length: 11 }, (_, row) => row);
        const groups = new Dendrogram(new CodeSlots(16, rows.length), rows, graph.count);
        const connected = new ConnectedRows(graph, rows, groups);
        const found: number[] = [];
        for (const lowest of [3, 1, 0]) {
          const expected = [...graph.rows.keys()].filter((at) => {
            const [row, other] = rowsOf(graph, at);
            if (other < 0 || Math.max(row, other) > 10 || found.includes(at)) return false;
            return (graph.similarities[at] as number) >= lowest && groups.groupOf(row) !== groups.groupOf(other);
          });
          const others = new ScoredPairs();
          for (const [similarity, a, b] of more) if (a !== b && Math.max(a, b) < 11) others.push(similarity, a, b);
          const components = connected.componentsFrom(lowest, others);
          const ofGroup = new Map<number, number>();
          const expectAlone = (component: number, row: number) => {
            const group = groups.groupOf(row);
            expect(ofGroup.get(group) ?? component).toBe(component);
            ofGroup.set(group, component);
          };
          for (let component = 0; component < components.count; component += 1) {
            for (const at of rowsOfList(components.edges, component)) {
              for (const row of rowsOf(graph, at)) expectAlone(component, row);
            }
            for (const at of rowsOfList(components.others, component)) {
              for (const row of [others.as[at] as number, others.bs[at] as number]) expectAlone(component, row);
            }
          }
          expect([...components.edges.rows].sort((a, b) => a - b)).toEqual(expected);
          expect([...components.others.rows].sort((a, b) => a - b)).toEqual(
            Array.from({ length: others.n }, (_, at) => at),
          );
          found.push(...expected);
          for (const [a, b] of mergers) {
            const [one, other] = [groups.groupOf(a), groups.groupOf(b)];
            if (one !== other) groups.merge(one, other);
          }
        }
      },
    ),
    { seed: 4 },
  );
});

it('pairs from a similarity on are taken out of a list, and the others keep their order', () => {
  fc.assert(
    fc.property(pairs, fc.integer({ min: -5, max: 5 }), (given, lowest) => {
      const list = new ScoredPairs();
      for (const pair of given) list.push(...pair);
      const taken = list.takeFrom(lowest);
      expect(allOf(taken)).toEqual(given.filter(([similarity]) => similarity >= lowest));
      expect(allOf(list)).toEqual(given.filter(([similarity]) => similarity < lowest));
    }),
    { seed: 4 },
  );
});

/** A graph of 12 rows, and the similarity of each pair. Every second one is in the lists of both rows. */
function graphOf(edges: readonly (readonly [similarity: number, a: number, b: number])[]) {
  const graph = emptyGraph(12, 11);
  const similarities = new Map<string, number>();
  for (const [similarity, a, b] of edges) {
    const name = nameOf(a, b);
    if (a === b || similarities.has(name)) continue;
    offerNeighbor(graph, a, b, similarity);
    if (similarity % 2 === 0) offerNeighbor(graph, b, a, similarity);
    similarities.set(name, similarity);
  }
  return { graph, similarities };
}

function rowsOf({ k, rows }: NeighborGraph, at: number): [row: number, neighbor: number] {
  return [Math.floor(at / k), rows[at] as number];
}

function named(graph: NeighborGraph, at: number): string {
  return nameOf(...rowsOf(graph, at));
}

function nameOf(a: number, b: number): string {
  return `${Math.min(a, b)} ${Math.max(a, b)}`;
}

function allOf({ n, similarities, as, bs }: ScoredPairs): number[][] {
  return Array.from({ length: n }, (_, at) => [similarities[at] as number, as[at] as number, bs[at] as number]);
}

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
