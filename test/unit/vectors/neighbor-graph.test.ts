import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildNeighborGraph, extendNeighborGraph } from '../../../src-main/infra/vectors/built-in/build-graph.ts';
import { buildLists } from '../../../src-main/infra/vectors/built-in/build-lists.ts';
import { compareInOrder } from '../../../src-main/infra/vectors/built-in/compare-in-order.ts';
import {
  listOfEachRow,
  nListsOf,
  noLists,
  probesFor,
} from '../../../src-main/infra/vectors/built-in/inverted-lists.ts';
import { searchByLists } from '../../../src-main/infra/vectors/built-in/list-graph.ts';
import { orderByLists } from '../../../src-main/infra/vectors/built-in/order-by-lists.ts';
import { GraphRefiner } from '../../../src-main/infra/vectors/built-in/refine-graph.ts';
import { resizeLists } from '../../../src-main/infra/vectors/built-in/resize-lists.ts';
import { recallOf } from '../../../src-main/infra/vectors/built-in/sampled-truth.ts';
import { searchExactly } from '../../../src-main/infra/vectors/neighbors/exact-graph.ts';
import {
  emptyGraph,
  type NeighborGraph,
  narrowGraph,
  offerNeighbor,
  renumberRows,
} from '../../../src-main/infra/vectors/neighbors/neighbor-graph.ts';
import { HeldVectors, StoredVectors } from '../../../src-main/infra/vectors/row-vectors.ts';
import { groupByList, innerProduct, rowsOfList, rowsWhere } from '../../../src-main/infra/vectors/rows.ts';
import { layeredVectors } from '../../bench/layered-vectors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { bunches, manifold } from './make-vectors.ts';

const DIM = 16;

/** Exact neighbour lists by comparison of every pair. */
function bruteForce(vectors: Float32Array, count: number, k: number, dead: ReadonlySet<number>): NeighborGraph {
  const graph = emptyGraph(count, k);
  for (let row = 0; row < count; row += 1) {
    const others = Array.from({ length: count }, (_, other) => other)
      .filter((other) => other !== row && !dead.has(other))
      .map((other) => ({ other, similarity: innerProduct(vectors, row * DIM, vectors, other * DIM, DIM) }))
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, k);
    for (const [nth, { other, similarity }] of others.entries()) {
      graph.rows[row * k + nth] = other;
      graph.similarities[row * k + nth] = similarity;
    }
  }
  return graph;
}

function expectSame(graph: NeighborGraph, truth: NeighborGraph, rows: Int32Array): void {
  expect(graph.count).toBe(truth.count);
  for (const row of rows) {
    const at = row * truth.k;
    const neighbors = graph.rows.subarray(at, at + truth.k);
    const expected = truth.rows.subarray(at, at + truth.k);
    expect([...neighbors].filter((other) => other >= 0)).toHaveLength(
      [...expected].filter((other) => other >= 0).length,
    );
    expect(new Set(neighbors).size).toBe(new Set(expected).size);
    for (let nth = 0; nth < truth.k; nth += 1) {
      expect(graph.similarities[at + nth]).toBeCloseTo(truth.similarities[at + nth] ?? 0, 4);
    }
  }
}

describe('the neighbour graph', () => {
  it('keeps a list sorted, without duplicates, for any candidates in any order', () => {
    const offers = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: -4, max: 4 })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(offers, (offered) => {
        const similarityOf = new Map(offered.map(([row, tenths]) => [row, Math.fround(tenths / 10)]));
        const graph = emptyGraph(1, 4);
        for (const [row] of offered) offerNeighbor(graph, 0, row, similarityOf.get(row) ?? 0);
        const expected = [...similarityOf].sort(([a, x], [b, y]) => y - x || a - b).slice(0, 4);
        const kept = [...graph.rows].flatMap((row, at) => (row < 0 ? [] : [[row, graph.similarities[at]]]));
        expect(kept).toEqual(expected);
      }),
    );
  });

  it('is the same graph when its rows get other numbers', () => {
    const lists = fc.array(fc.array(fc.tuple(fc.nat(11), fc.integer({ min: -4, max: 4 })), { maxLength: 3 }), {
      minLength: 12,
      maxLength: 12,
    });
    const orders = fc.shuffledSubarray([...Array(12).keys()], { minLength: 12 });
    fc.assert(
      fc.property(lists, orders, (given, order) => {
        const graph = emptyGraph(12, 3);
        for (const [row, offered] of given.entries()) {
          for (const [other, tenths] of offered) offerNeighbor(graph, row, other, tenths / 10);
        }
        const before = structuredClone(graph);
        const numberOf = Int32Array.from(order.keys(), (row) => order.indexOf(row));
        renumberRows(graph, Int32Array.from(order), numberOf);
        for (const [number, row] of order.entries()) {
          const [at, was] = [number * 3, row * 3];
          const named = before.rows
            .subarray(was, was + 3)
            .map((other) => (other < 0 ? -1 : (numberOf[other] as number)));
          expect(graph.rows.subarray(at, at + 3)).toEqual(named);
          expect(graph.similarities.subarray(at, at + 3)).toEqual(before.similarities.subarray(was, was + 3));
        }
      }),
    );
  });

  it('contains the true neighbours, and no dead ones', async () => {
    const count = 150;
    const vectors = bunches({ count, dim: DIM, groups: 7, spread: 0.6, seed: 1 });
    const dead = new Set([3, 70, 149]);
    const graph = await buildNeighborGraph({ vectors: new HeldVectors(vectors, DIM), count, k: 6, dead, threads: 1 });
    expectSame(
      graph,
      bruteForce(vectors, count, 6, dead),
      rowsWhere(count, () => true),
    );
  });

  it('leaves entries empty when there are too few rows', async () => {
    const vectors = bunches({ count: 3, dim: DIM, groups: 3, spread: 0.1, seed: 2 });
    const graph = await buildNeighborGraph({ vectors: new HeldVectors(vectors, DIM), count: 3, threads: 1 });
    expect([...graph.rows.subarray(2, graph.k)].every((row) => row === -1)).toBe(true);
    const alone = await buildNeighborGraph({
      vectors: new HeldVectors(vectors.slice(0, DIM), DIM),
      count: 1,
      threads: 1,
    });
    expect([...alone.rows].every((row) => row === -1)).toBe(true);
    const none = await buildNeighborGraph({ vectors: new HeldVectors(new Float32Array(), DIM), count: 0, threads: 1 });
    expect(none.rows).toHaveLength(0);
  });

  it('is the same whether it is built at once or extended, however the rows are split', async () => {
    const arbitrary = fc.record({
      old_count: fc.integer({ min: 0, max: 80 }),
      n_new: fc.integer({ min: 0, max: 40 }),
      seed: fc.integer({ min: 0, max: 1000 }),
    });
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ old_count, n_new, seed }) => {
        const count = old_count + n_new;
        const vectors = bunches({ count, dim: DIM, groups: 5, spread: 0.7, seed });
        const known = await buildNeighborGraph({
          vectors: new HeldVectors(vectors.subarray(0, old_count * DIM), DIM),
          count: old_count,
          k: 5,
          threads: 1,
        });
        const extended = await extendNeighborGraph(known, {
          vectors: new HeldVectors(vectors, DIM),
          count,
          threads: 1,
        });
        expectSame(
          extended,
          bruteForce(vectors, count, 5, new Set()),
          rowsWhere(count, () => true),
        );
      }),
      { numRuns: 25 },
    );
  });

  it('drops dead neighbours when it is extended and searches rows again that lose most of theirs', async () => {
    const count = 120;
    const vectors = bunches({ count, dim: DIM, groups: 4, spread: 0.3, seed: 9 });
    const known = await buildNeighborGraph({ vectors: new HeldVectors(vectors, DIM), count, k: 6, threads: 1 });
    // Group 0 keeps only a few rows.
    const dead = new Set(Array.from({ length: 25 }, (_, nth) => nth * 4));
    const graph = await extendNeighborGraph(known, { vectors: new HeldVectors(vectors, DIM), count, dead, threads: 1 });
    const truth = bruteForce(vectors, count, 6, dead);
    for (const row of rowsWhere(count, (alive) => !dead.has(alive))) {
      const neighbors = [...graph.rows.subarray(row * 6, row * 6 + 6)].filter((other) => other >= 0);
      expect(neighbors.some((other) => dead.has(other))).toBe(false);
      expect(neighbors.length).toBeGreaterThanOrEqual(3);
      expect(graph.similarities[row * 6]).toBeCloseTo(truth.similarities[row * 6] ?? 0, 4);
    }
    // A row that is removed keeps its own list, so that it can be restored.
    expect([...graph.rows.subarray(0, 6)]).toEqual([...known.rows.subarray(0, 6)]);
  });

  it('drops rows beyond a smaller count', async () => {
    const vectors = bunches({ count: 60, dim: DIM, groups: 3, spread: 0.4, seed: 4 });
    const known = await buildNeighborGraph({ vectors: new HeldVectors(vectors, DIM), count: 60, k: 5, threads: 1 });
    const options = { vectors: new HeldVectors(vectors.subarray(0, 40 * DIM), DIM), count: 40, threads: 1 };
    const graph = await extendNeighborGraph(known, options);
    expect(graph.count).toBe(40);
    expect(Math.max(...graph.rows)).toBeLessThan(40);
  });

  /** Builds the graph by inverted lists, and returns both. */
  async function byLists(vectors: Float32Array, count: number, k: number, dim = DIM) {
    const options = { vectors: new HeldVectors(vectors, dim), count, threads: 1 };

    const built = await buildLists({ ...options, k, alive: rowsWhere(count, () => true) });
    return { ...built, graph: await buildNeighborGraph({ ...options, k, built }) };
  }

  /** Share of the neighbours in `truth` that a graph contains. */
  function shareFound(graph: NeighborGraph, truth: NeighborGraph): number {
    let found = 0;
    for (const [at, neighbor] of truth.rows.entries()) {
      const start = at - (at % truth.k);
      if (graph.rows.subarray(start, start + truth.k).includes(neighbor)) found += 1;
    }
    return found / truth.rows.length;
  }

  it('finds nearly all neighbours by inverted lists, with a good estimate of the recall', async () => {
    const count = 3000;
    const vectors = bunches({ count, dim: DIM, groups: 60, spread: 0.4, seed: 5 });
    const { graph, lists } = await byLists(vectors, count, 12);
    expect(probesFor(lists, 12)).toBeLessThan(nListsOf(lists) / 3);
    const recall = shareFound(
      graph,
      await buildNeighborGraph({ vectors: new HeldVectors(vectors, DIM), count, k: 12, threads: 1 }),
    );
    expect(recall).toBeGreaterThan(0.97);
    expect(Math.abs(recall - graph.recall)).toBeLessThan(0.02);
  });

  it('probes as many lists as the data needs, with and without clusters', async () => {
    const [count, k] = [3000, 12];
    const probes: number[] = [];
    for (const vectors of [
      bunches({ count, dim: DIM, groups: 60, spread: 0.4, seed: 5 }),
      manifold({ count, dim: DIM, latent: 3, seed: 3 }),
    ]) {
      const { plan, probed, lists, graph } = await byLists(vectors, count, k);
      expect(plan.by).toBe('probing');
      const listOf = listOfEachRow(lists);
      for (let row = 0; row < count; row += 1) expect(probed.lists[probed.offsets[row] ?? 0]).toBe(listOf[row]);
      const recall = shareFound(
        graph,
        await buildNeighborGraph({ vectors: new HeldVectors(vectors, DIM), count, k, threads: 1 }),
      );
      expect(graph.recall).toBeGreaterThanOrEqual(0.98);
      expect(Math.abs(recall - graph.recall)).toBeLessThan(0.01);
      probes.push(probed.lists.length / count);
    }
    const [withClusters = 0, without = 0] = probes;
    expect(withClusters).toBeLessThan(2);
    expect(without).toBeGreaterThan(withClusters);
  });

  it('is the same for vectors in files, which are sorted by list while they are searched', async () => {
    const [count, k] = [3000, 12];
    const floats = manifold({ count, dim: DIM, latent: 3, seed: 3 });
    const dead = new Set([5, 6, 7, 2999]);
    const folder = await temporaryFolder();
    const graphs = [
      new HeldVectors(floats, DIM),
      new StoredVectors(count, DIM, (first, n, target) => {
        target.set(floats.subarray(first * DIM, (first + n) * DIM));
      }),
    ].map(async (vectors) => {
      const options = { vectors, count, threads: 1, scratch: join(folder, 'sorted') };
      const built = await buildLists({ ...options, k, alive: rowsWhere(count, (row) => !dead.has(row)) });
      expect(built.plan.by).toBe('probing');
      return buildNeighborGraph({ ...options, k, dead, built });
    });
    const [held, stored] = await Promise.all(graphs);
    expectSame(
      stored ?? emptyGraph(0),
      held ?? emptyGraph(0),
      rowsWhere(count, () => true),
    );
    expect(stored?.recall).toBeGreaterThan(0.97);
    expect(stored?.recall).toBe(held?.recall);
    expect(await readdir(folder)).toEqual([]);
  });

  it('divides long lists, which data in layers would have', async () => {
    const [count, dim] = [20_000, 64];
    const [floats = new Float32Array()] = layeredVectors(count, dim);
    const vectors = new HeldVectors(floats, dim);
    const { lists } = await buildLists({ vectors, count, alive: rowsWhere(count, () => true), threads: 1 });
    const lengths = Array.from(lists.offsets.subarray(1), (end, list) => end - (lists.offsets[list] ?? 0));
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(count);
    expect(Math.max(...lengths)).toBeLessThan((5 * count) / lengths.length);
  });

  it('searches exactly when inverted lists are insufficient', async () => {
    const [count, k] = [600, 24];
    const vectors = bunches({ count, dim: DIM, groups: count, spread: 1, seed: 6 });
    const { graph, lists } = await byLists(vectors, count, k);
    expect(probesFor(lists, k)).toBeGreaterThan(nListsOf(lists) / 2);
    const everyRow = rowsWhere(count, () => true);
    expectSame(graph, bruteForce(vectors, count, k, new Set()), everyRow);
  });

  it('fills the lists of rows whose probed lists hold too few others', async () => {
    // Groups are as large as the lists: a row whose two probed lists contain one group has 29 other candidates.
    const [count, k] = [3000, 30];
    const vectors = bunches({ count, dim: DIM, groups: count / k, spread: 0.1, seed: 5 });
    const { graph, lists } = await byLists(vectors, count, k);
    expect(probesFor(lists, k)).toBeLessThan(nListsOf(lists) / 3);
    expect([...graph.rows].filter((row) => row < 0)).toHaveLength(0);
  });

  it('is refined by neighbours of neighbours, when no list contains most of them', async () => {
    const [count, dim] = [3000, 64];
    const vectors = manifold({ count, dim, latent: 8, seed: 3 });
    const everyRow = rowsWhere(count, () => true);
    const dead = new Set([5, 6, 2000]);
    const alive = everyRow.filter((row) => !dead.has(row));
    const { lists, truth } = await buildLists({ vectors: new HeldVectors(vectors, dim), count, alive, threads: 1 });
    const graph = emptyGraph(count, 32);
    const search = { graph, vectors: new HeldVectors(vectors, dim), queries: everyRow, candidates: alive, threads: 1 };
    await searchByLists(search, { lists, nProbes: 2 });
    expect(recallOf(graph, truth, 24)).toBeLessThan(0.8);
    const refiner = new GraphRefiner(search, lists.rows);
    for (let round = 0; round < 4; round += 1) refiner.round();
    const refined = narrowGraph(graph, 24);
    expect(recallOf(refined, truth)).toBeGreaterThan(0.98);
    const exact = await buildNeighborGraph({ vectors: new HeldVectors(vectors, dim), count, dead, threads: 1 });
    expect(shareFound(refined, exact)).toBeGreaterThan(0.97);
    expect(refined.rows.some((row) => dead.has(row))).toBe(false);
    for (let at = 0; at < refined.rows.length; at += 1) {
      const [row, other] = [Math.floor(at / 24), refined.rows[at] as number];
      expect(other).not.toBe(row);
      if (at % 97 === 0) {
        expect(refined.similarities[at]).toBeCloseTo(innerProduct(vectors, row * dim, vectors, other * dim, dim), 5);
      }
    }
  });

  it('has lists that order rows so that similar ones are near each other', async () => {
    const count = 3000;
    const vectors = bunches({ count, dim: DIM, groups: 60, spread: 0.4, seed: 5 });
    const { lists } = await byLists(vectors, count, 12);
    const order = await orderByLists(lists, { threads: 1 });
    expect([...order].sort((a, b) => a - b)).toEqual([...rowsWhere(count, () => true)]);
    const meanLikeness = (rows: Int32Array) => {
      const products = rows.map((row, at) => {
        const next = rows[(at + 1) % count] as number;
        return 1000 * innerProduct(vectors, row * DIM, vectors, next * DIM, DIM);
      });
      return products.reduce((sum, product) => sum + product, 0) / count / 1000;
    };
    expect(meanLikeness(order)).toBeGreaterThan(meanLikeness(rowsWhere(count, () => true)) + 0.3);

    const listOf = listOfEachRow(lists);
    const inOrder = [...new Set([...order].map((row) => listOf[row] as number))];
    expect(order).toEqual(Int32Array.from(inOrder.flatMap((list) => [...rowsOfList(lists, list)])));
    const likeness = (a: number, b: number) => innerProduct(lists.centres, a * DIM, lists.centres, b * DIM, DIM);
    for (const [at, list] of inOrder.slice(0, -1).entries()) {
      const left = inOrder.slice(at + 1).map((other) => likeness(list, other));
      expect(left[0]).toBeCloseTo(Math.max(...left), 5);
    }
  });

  it('is extended in the inverted lists that were built before, in both directions', async () => {
    const [count, oldCount, k] = [3000, 2900, 12];
    const vectors = bunches({ count, dim: DIM, groups: 60, spread: 0.4, seed: 5 });
    const former = await byLists(vectors.subarray(0, oldCount * DIM), oldCount, k);
    const options = { vectors: new HeldVectors(vectors, DIM), count, threads: 1 };
    const lists = await resizeLists(former.lists, new Int32Array(), options);
    expect([...lists.rows].sort((a, b) => a - b)).toEqual([...rowsWhere(count, () => true)]);
    const graph = await extendNeighborGraph(former.graph, { ...options, lists });
    const truth = await buildNeighborGraph({ ...options, k });
    expect(shareFound(graph, truth)).toBeGreaterThan(0.97);
    const areEntered = truth.rows.filter((row, at) => row >= oldCount && at < oldCount * k).length;
    expect(graph.rows.filter((row, at) => row >= oldCount && at < oldCount * k).length).toBeGreaterThan(
      areEntered * 0.95,
    );
  });

  it('is the same when few rows are added to vectors in files as to vectors in memory', async () => {
    const [count, oldCount, k, dim] = [3000, 2900, 12, 18];
    const vectors = bunches({ count, dim, groups: 60, spread: 0.4, seed: 5 });
    const dead = new Set([7, 1500, 2950]);
    const known = await byLists(vectors.subarray(0, oldCount * dim), oldCount, k, dim);
    const held = new HeldVectors(vectors, dim);
    const lists = await resizeLists(known.lists, new Int32Array(), { vectors: held, count, threads: 1 });
    const reads: number[] = [];
    const stored = new StoredVectors(count, dim, (first, n, target) => {
      reads.push(n);
      target.set(vectors.subarray(first * dim, (first + n) * dim));
    });
    const options = { count, dead, lists, threads: 1 };
    const inMemory = await extendNeighborGraph(known.graph, { ...options, vectors: held });
    const inFiles = await extendNeighborGraph(known.graph, { ...options, vectors: stored });
    expectSame(
      inFiles,
      inMemory,
      rowsWhere(count, () => true),
    );
    expect(inFiles.rows.some((row) => dead.has(row))).toBe(false);
    expect(inFiles.rows.subarray(0, oldCount * k).filter((row) => row >= oldCount).length).toBeGreaterThan(500);
    // The rows in their order, beside the queries.
    expect(Math.max(...reads)).toBeGreaterThan(2000);
  });

  it('compares the rows of lists with the queries that ask them, block by block', async () => {
    const [count, dim, k] = [400, 18, 5];
    const vectors = bunches({ count, dim, groups: 9, spread: 0.5, seed: 6 });
    const everyRow = rowsWhere(count, () => true);
    const candidates = everyRow.filter((row) => row % 11 !== 4);
    const queries = everyRow.filter((row) => row % 13 === 2);
    // No query asks the third of the six lists.
    const listOf = everyRow.map((row) => row % 6);
    const asks = (query: number, list: number) => list !== 2 && (query + list) % 3 > 0;
    const pairs = [...queries].flatMap((query) =>
      [0, 1, 2, 3, 4, 5].filter((list) => asks(query, list)).map((list) => ({ query, list })),
    );
    const [lists, queried] = [pairs.map(({ list }) => list), pairs.map(({ query }) => query)].map((all) =>
      Int32Array.from(all),
    ) as [Int32Array, Int32Array];
    const asking = groupByList(lists, queried, 6);
    const graph = emptyGraph(count, k);
    const search = { graph, vectors: new HeldVectors(vectors, dim), queries, candidates, threads: 1 };
    const inverted = { ...noLists(dim, count), ...groupByList(listOf, everyRow, 6) };
    await compareInOrder(search, { lists: inverted, asking, bothWays: { known: 0 }, blockBytes: 50 * dim * 4 });

    const isAllowed = new Set(candidates);
    const expected = (row: number) =>
      [...everyRow]
        .filter((other) => other !== row)
        .filter(
          (other) =>
            (queries.includes(row) && isAllowed.has(other) && asks(row, other % 6)) ||
            (queries.includes(other) && isAllowed.has(other) && isAllowed.has(row) && asks(other, row % 6)),
        )
        .map((other) => innerProduct(vectors, row * dim, vectors, other * dim, dim))
        .sort((a, b) => b - a)
        .slice(0, k);
    for (const row of everyRow) {
      const similarities = [...expected(row)];
      const found = graph.rows.subarray(row * k, (row + 1) * k).filter((other) => other >= 0);
      expect(found).toHaveLength(similarities.length);
      for (const [nth, similarity] of similarities.entries())
        expect(graph.similarities[row * k + nth]).toBeCloseTo(similarity, 5);
    }
  });

  it('searches block by block with the same result, with gaps between the rows, in both directions', async () => {
    const [count, dim, k] = [17_000, 4, 6];
    const vectors = bunches({ count, dim, groups: 300, spread: 0.5, seed: 15 });
    const candidates = rowsWhere(count, (row) => row % 7 !== 3);
    const queries = rowsWhere(count, (row) => row % 60 === 0);
    const graph = emptyGraph(count, k);
    await searchExactly(
      { graph, vectors: new HeldVectors(vectors, dim), queries, candidates, threads: 1 },
      { known: 0 },
    );
    const best = (row: number, among: Int32Array) =>
      [...among]
        .filter((other) => other !== row)
        .map((other) => innerProduct(vectors, row * dim, vectors, other * dim, dim))
        .sort((a, b) => b - a)
        .slice(0, k);
    const expectList = (row: number, among: Int32Array) => {
      const found = graph.similarities.subarray(row * k, (row + 1) * k);
      for (const [nth, similarity] of best(row, among).entries()) expect(found[nth]).toBeCloseTo(similarity, 5);
      for (const other of graph.rows.subarray(row * k, (row + 1) * k)) expect(among).toContain(other);
    };
    for (const row of queries.filter((_, nth) => nth % 29 === 0)) expectList(row, candidates);
    const entrants = queries.filter((row) => row % 7 !== 3);
    for (const row of [1, 8191, 8192, 14_041, 16_383, 16_999]) if (row % 7 !== 3) expectList(row, entrants);
  });

  it('does not replace a dead neighbour by a distant row', async () => {
    const [count, k] = [90, 6];
    // New rows are dissimilar to all others.
    const vectors = bunches({ count, dim: DIM, groups: 3, spread: 0.2, seed: 16 });
    for (let row = 60; row < count; row += 1)
      for (let axis = 0; axis < DIM; axis += 1) vectors[row * DIM + axis] = axis === row % DIM ? 1 : 0;
    const known = await buildNeighborGraph({ vectors: new HeldVectors(vectors, DIM), count: 60, k, threads: 1 });
    const dead = new Set([known.rows[0] ?? -1]);
    const graph = await extendNeighborGraph(known, { vectors: new HeldVectors(vectors, DIM), count, dead, threads: 1 });
    const list = [...graph.rows.subarray(0, k)];
    expect(list.slice(0, k - 1)).toEqual([...known.rows.subarray(1, k)]);
    expect(list[k - 1]).toBe(-1);
  });
});
