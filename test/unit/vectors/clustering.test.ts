import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildNeighborGraph, extendNeighborGraph } from '../../../src-main/infra/vectors/built-in/build-graph.ts';
import { type AgglomerateOptions, agglomerate } from '../../../src-main/infra/vectors/clustering/agglomerate.ts';
import { assignToClusters } from '../../../src-main/infra/vectors/clustering/assign-clusters.ts';
import type { ClusterLevel } from '../../../src-main/infra/vectors/clustering/cluster-file.ts';
import { highestFirst } from '../../../src-main/infra/vectors/highest-first.ts';
import {
  emptyGraph,
  type NeighborGraph,
  offerNeighbor,
} from '../../../src-main/infra/vectors/neighbors/neighbor-graph.ts';
import { HeldVectors } from '../../../src-main/infra/vectors/row-vectors.ts';
import { innerProduct, rowsWhere, seededRandom } from '../../../src-main/infra/vectors/rows.ts';
import { CODED_COMPONENTS } from '../../../src-main/infra/vectors/vector-codes.ts';
import { bunches, partition, permuted } from './make-vectors.ts';

const DIM = 16;
const LINKAGE_THRESHOLDS = [0.97, 0.9, 0.75, 0.5, 0.25];

const held = (vectors: Float32Array) => new HeldVectors(vectors, DIM);

async function levelsOf(of: Omit<AgglomerateOptions, 'linkageThresholds' | 'threads'>): Promise<ClusterLevel[]> {
  return (await agglomerate({ ...of, linkageThresholds: LINKAGE_THRESHOLDS, threads: 1 })).levels(of.vectors);
}

async function cluster(vectors: Float32Array, dead: readonly number[] = [], k = 8): Promise<ClusterLevel[]> {
  const count = vectors.length / DIM;
  const graph = await buildNeighborGraph({ vectors: held(vectors), count, k, dead: new Set(dead), threads: 1 });
  const rows = rowsWhere(count, (row) => !dead.includes(row));
  return levelsOf({ graph, vectors: held(vectors), rows });
}

/** Plain average linkage over all pairs, down to a linkage threshold. */
function averageLinkage(vectors: Float32Array, threshold: number): string[] {
  const count = vectors.length / DIM;
  let groups = Array.from({ length: count }, (_, row) => [row]);
  const average = (a: readonly number[], b: readonly number[]) => {
    const products = a.flatMap((x) => b.map((y) => innerProduct(vectors, x * DIM, vectors, y * DIM, DIM)));
    return products.reduce((sum, value) => sum + value, 0) / products.length;
  };
  for (;;) {
    let best = { similarity: threshold, a: -1, b: -1 };
    for (const [a, left] of groups.entries()) {
      for (const [b, right] of groups.entries()) {
        if (b <= a) continue;
        const similarity = average(left, right);
        if (similarity >= best.similarity) best = { similarity, a, b };
      }
    }
    const [left, right] = [groups[best.a], groups[best.b]];
    if (!left || !right) break;
    groups = [...groups.filter((group) => group !== left && group !== right), [...left, ...right]];
  }
  return partition(Array.from({ length: count }, (_, row) => groups.findIndex((group) => group.includes(row))));
}

/** Highest average cosine of two groups that an edge connects; -1 if no edge does. */
function highestConnected(vectors: Float32Array, { k, rows: neighbors }: NeighborGraph, level: ClusterLevel): number {
  const rowsOfGroup = (group: number) => [...level.members.subarray(level.offsets[group], level.offsets[group + 1])];
  let highest = -1;
  for (const [at, neighbor] of neighbors.entries()) {
    const [a = -1, b = -1] = [level.labels[Math.floor(at / k)], level.labels[neighbor]];
    if (a < 0 || b < 0 || a === b) continue;
    const products = rowsOfGroup(a).flatMap((x) =>
      rowsOfGroup(b).map((y) => innerProduct(vectors, x * DIM, vectors, y * DIM, DIM)),
    );
    highest = Math.max(highest, products.reduce((sum, value) => sum + value, 0) / products.length);
  }
  return highest;
}

function expectWellFormed(levels: readonly ClusterLevel[], alive: Int32Array): void {
  for (const [nth, { labels, offsets, members }] of levels.entries()) {
    expect([...members].sort((a, b) => a - b)).toEqual([...alive]);
    const firsts: number[] = [];
    for (let cluster = 0; cluster + 1 < offsets.length; cluster += 1) {
      const rows = [...members.subarray(offsets[cluster], offsets[cluster + 1])];
      expect(rows.every((row) => labels[row] === cluster)).toBe(true);
      firsts.push(Math.min(...rows));
      // Every group of a finer level must lie within one group of this level.
      const finer = levels[nth - 1];
      if (finer) {
        const parts = new Set(rows.map((row) => finer.labels[row] ?? -1));
        const sizes = [...parts].map((part) => (finer.offsets[part + 1] ?? 0) - (finer.offsets[part] ?? 0));
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(rows.length);
      }
    }
    const order = firsts.map((_, at) => at);
    const size = (at: number) => (offsets[at + 1] ?? 0) - (offsets[at] ?? 0);
    expect(order).toEqual([...order].sort((a, b) => size(b) - size(a) || (firsts[a] ?? 0) - (firsts[b] ?? 0)));
  }
}

const sets = fc.record({
  count: fc.integer({ min: 1, max: 70 }),
  groups: fc.integer({ min: 1, max: 12 }),
  spread: fc.double({ min: 0.05, max: 1, noNaN: true }),
  seed: fc.integer({ min: 0, max: 10_000 }),
});

describe('clusters of the neighbour graph', () => {
  it('are those of plain average linkage when the graph connects all rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 10_000 }), async (seed) => {
        const vectors = bunches({ count: 24, dim: DIM, groups: 5, spread: 0.5, seed });
        const levels = await cluster(vectors, [], 23);
        for (const [level, threshold] of LINKAGE_THRESHOLDS.entries())
          expect(partition(levels[level]?.labels ?? [])).toEqual(averageLinkage(vectors, threshold));
      }),
      { numRuns: 15 },
    );
  });

  it('are nested, cover every live row once and are in display order', async () => {
    await fc.assert(
      fc.asyncProperty(sets, fc.array(fc.nat(80), { maxLength: 5 }), async (set, some) => {
        const dead = some.filter((row) => row < set.count);
        const levels = await cluster(bunches({ ...set, dim: DIM }), dead);
        const alive = rowsWhere(set.count, (row) => !dead.includes(row));
        expect(levels).toHaveLength(LINKAGE_THRESHOLDS.length);
        expectWellFormed(levels, alive);
        for (const row of dead)
          expect(levels.map((level) => level.labels[row])).toEqual(LINKAGE_THRESHOLDS.map(() => -1));
      }),
      { numRuns: 30 },
    );
  });

  it('start with their medoid, the member that is most similar to the others', async () => {
    const vectors = bunches({ count: 90, dim: DIM, groups: 5, spread: 0.5, seed: 21 });
    for (const { offsets, members } of await cluster(vectors)) {
      for (let nth = 0; nth + 1 < offsets.length; nth += 1) {
        const rows = [...members.subarray(offsets[nth], offsets[nth + 1])];
        const likeness = rows.map((row) =>
          rows.reduce((sum, other) => sum + innerProduct(vectors, row * DIM, vectors, other * DIM, DIM), 0),
        );
        expect(likeness[0]).toBeCloseTo(Math.max(...likeness), 4);
      }
    }
  });

  it('merge any two similar groups that an edge joins, however few edges there are', async () => {
    await fc.assert(
      fc.asyncProperty(sets, fc.integer({ min: 1, max: 4 }), async (set, k) => {
        const vectors = bunches({ ...set, dim: DIM });
        const graph = await buildNeighborGraph({ vectors: held(vectors), count: set.count, k, threads: 1 });
        const rows = rowsWhere(set.count, (row) => row % 9 !== 4);
        const levels = await levelsOf({ graph, vectors: held(vectors), rows });
        for (const [nth, level] of levels.entries())
          expect(highestConnected(vectors, graph, level)).toBeLessThan((LINKAGE_THRESHOLDS[nth] ?? 0) + 1e-6);
      }),
      { numRuns: 60, seed: 6 },
    );
  });

  it('are the planted groups of so many rows that sums take the place of codes', async () => {
    const [count, dim, groups] = [9000, 1024, 300];
    expect(count * dim).toBeGreaterThan(CODED_COMPONENTS);
    const vectors = new HeldVectors(bunches({ count, dim, groups, spread: 0.4, seed: 8 }), dim);
    const rows = rowsWhere(count, (row) => row % 49 !== 7);
    const graph = await buildNeighborGraph({ vectors, count, k: 8, threads: 2 });
    const history = await agglomerate({ graph, vectors, rows, linkageThresholds: [0.95, 0.6], threads: 2 });
    const [, level] = history.levels(vectors);
    expect(history.counts[1]).toBe(groups);
    expectWellFormed(history.levels(vectors), rows);
    expect(partition([...rows].map((row) => level?.labels[row] ?? -1))).toEqual(
      partition([...rows].map((row) => row % groups)),
    );
    // The first member of a cluster is the most typical one, as far as codes can tell.
    for (let nth = 0; nth < groups; nth += 30) {
      const members = [...(level?.members.subarray(level.offsets[nth], level.offsets[nth + 1]) ?? [])];
      const floats = vectors.gather(rowsWhere(count, () => true));
      const likeness = members.map((row) =>
        members.reduce((sum, other) => sum + innerProduct(floats, row * dim, floats, other * dim, dim), 0),
      );
      expect((likeness[0] ?? 0) / members.length).toBeGreaterThan(Math.max(...likeness) / members.length - 0.002);
    }
  });

  it('are the same in whatever order rows are grouped, and the graph stays as it was', async () => {
    await fc.assert(
      fc.asyncProperty(sets, fc.array(fc.nat(80), { maxLength: 5 }), fc.nat(1000), async (set, dead, seed) => {
        const vectors = held(bunches({ ...set, dim: DIM }));
        const rows = rowsWhere(set.count, (row) => !dead.includes(row));
        const graph = await buildNeighborGraph({ vectors, count: set.count, k: 8, dead: new Set(dead), threads: 1 });
        const order = highestFirst(Float32Array.from({ length: set.count }, seededRandom(seed)));
        const before = structuredClone(graph);
        const levels = await levelsOf({ graph, vectors, rows });
        expect(await levelsOf({ graph, vectors, rows, order })).toEqual(levels);
        const stopped = levelsOf({ graph, vectors, rows, order, signal: AbortSignal.abort(new Error('stopped')) });
        await expect(stopped).rejects.toThrow('stopped');
        expect(graph).toEqual(before);
      }),
      { numRuns: 40, seed: 3 },
    );
  });

  it('merge small groups without outgoing edges', async () => {
    // Six groups of four rows around two directions. Lists of eight contain only the three other rows of a group.
    const vectors = bunches({ count: 24, dim: DIM, groups: 2, spread: 0.15, seed: 21 });
    const graph = emptyGraph(24, 8);
    for (let row = 0; row < 24; row += 1) {
      for (let other = 0; other < 24; other += 1) {
        if (other === row || row % 6 !== other % 6) continue;
        offerNeighbor(graph, row, other, innerProduct(vectors, row * DIM, vectors, other * DIM, DIM));
      }
    }
    const rows = rowsWhere(24, () => true);
    const levels = await levelsOf({ graph, vectors: held(vectors), rows });
    expect(partition(levels[2]?.labels ?? [])).toEqual(partition([...rows].map((row) => row % 2)));
  });

  it('do not depend on the order of rows', async () => {
    await fc.assert(
      fc.asyncProperty(sets, async (set) => {
        const vectors = bunches({ ...set, dim: DIM });
        const rows = Array.from({ length: set.count }, (_, row) => row);
        const [order = rows] = fc.sample(fc.shuffledSubarray(rows, { minLength: set.count }), {
          numRuns: 1,
          seed: set.seed,
        });
        const straight = await cluster(vectors);
        const shuffled = await cluster(permuted(vectors, DIM, order));
        for (const [level, { labels }] of straight.entries()) {
          const back = new Int32Array(set.count);
          for (const [to, from] of order.entries()) back[from] = shuffled[level]?.labels[to] ?? -1;
          expect(partition(back)).toEqual(partition(labels));
        }
      }),
      { numRuns: 30, seed: 20_240_501 },
    );
  });

  it('are exactly the same on a second run', async () => {
    const vectors = bunches({ count: 300, dim: DIM, groups: 20, spread: 0.6, seed: 3 });
    expect(await cluster(vectors)).toEqual(await cluster(vectors));
  });

  it('merge many copies of one image with those of a nearly equal one', async () => {
    const [a, b, c] = [0, 0.3, 3].map((angle) => {
      const vector = new Float32Array(DIM);
      vector[0] = Math.cos(angle);
      vector[1] = Math.sin(angle);
      return vector;
    });
    const vectors = new Float32Array(150 * DIM);
    for (let row = 0; row < 150; row += 1) vectors.set([a, b, c][row % 3] ?? [], row * DIM);
    const levels = await cluster(vectors);
    // The cosine of the first two is 0.955: one group at 0.9, two at 0.97. Their lists of eight contain only copies.
    expect(levels.map((level) => level.offsets.length - 1)).toEqual([3, 2, 2, 2, 2]);
  });

  it('are none for no rows', async () => {
    const levels = await cluster(new Float32Array());
    expect(levels.map((level) => level.offsets.length - 1)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('new rows with existing clusters', () => {
  async function extended(vectors: Float32Array, oldCount: number, dead: readonly number[] = []) {
    const count = vectors.length / DIM;
    const oldVectors = vectors.slice(0, oldCount * DIM);
    const known = await cluster(oldVectors);
    const oldGraph = await buildNeighborGraph({
      vectors: held(oldVectors),
      count: oldCount,
      k: 8,
      threads: 1,
    });
    const gone = new Set(dead);
    const graph = await extendNeighborGraph(oldGraph, { vectors: held(vectors), count, dead: gone, threads: 1 });
    const rows = rowsWhere(count, (row) => !gone.has(row));
    const levels = await assignToClusters(known, {
      graph,
      vectors: held(vectors),
      rows,
      linkageThresholds: LINKAGE_THRESHOLDS,
      threads: 1,
    });
    return { known, levels, rows };
  }

  it('change no membership or first row of existing clusters, and keep them nested', async () => {
    await fc.assert(
      fc.asyncProperty(sets, fc.double({ min: 0, max: 1, noNaN: true }), async (set, share) => {
        const oldCount = Math.floor(set.count * share);
        const { known, levels, rows } = await extended(bunches({ ...set, dim: DIM }), oldCount);
        expectWellFormed(levels, rows);
        for (const [level, { labels }] of levels.entries())
          expect(partition(labels.subarray(0, oldCount))).toEqual(partition(known[level]?.labels ?? []));
      }),
      { numRuns: 30 },
    );
  });

  it('join the cluster they belong to, and otherwise form their own', async () => {
    const groups = 6;
    const vectors = bunches({ count: 240, dim: DIM, groups, spread: 0.12, seed: 11 });
    // Groups 4 and 5 are new; the others get more rows.
    const order = Array.from({ length: 240 }, (_, row) => row).sort((a, b) => rank(a) - rank(b) || a - b);
    function rank(row: number): number {
      return row % groups >= 4 || row >= 200 ? 1 : 0;
    }
    const oldCount = order.filter((row) => rank(row) === 0).length;
    const all = permuted(vectors, DIM, order);
    const { levels } = await extended(all, oldCount);
    expect(partition(levels[1]?.labels ?? [])).toEqual(partition(order.map((row) => row % groups)));
    expect(partition(levels[1]?.labels ?? [])).toEqual(partition((await cluster(all))[1]?.labels ?? []));
  });

  it('exclude dead rows from the clusters that they join', async () => {
    const vectors = bunches({ count: 120, dim: DIM, groups: 3, spread: 0.1, seed: 12 });
    const { levels, rows } = await extended(vectors, 110, [0, 5, 112]);
    expectWellFormed(levels, rows);
    expect([0, 5, 112].map((row) => levels[1]?.labels[row])).toEqual([-1, -1, -1]);
    expect(levels[1]?.offsets).toHaveLength(4);
  });
});
