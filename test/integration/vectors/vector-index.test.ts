import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { buildNeighborGraph } from '../../../src-main/infra/vectors/built-in/build-graph.ts';
import { buildLists } from '../../../src-main/infra/vectors/built-in/build-lists.ts';
import { ExactVectorIndex } from '../../../src-main/infra/vectors/built-in/exact-vector-index.ts';
import { GraphFile, writeGraph } from '../../../src-main/infra/vectors/built-in/graph-file.ts';
import { InvertedVectorIndex } from '../../../src-main/infra/vectors/built-in/inverted-vector-index.ts';
import { SharedVectors, sharedVectorMemory } from '../../../src-main/infra/vectors/built-in/shared-vectors.ts';
import type { VectorIndex } from '../../../src-main/infra/vectors/built-in/vector-index.ts';
import { emptyGraph } from '../../../src-main/infra/vectors/neighbors/neighbor-graph.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { HeldVectors } from '../../../src-main/infra/vectors/row-vectors.ts';
import { innerProduct, rowsWhere } from '../../../src-main/infra/vectors/rows.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { bunches, manifold } from '../../unit/vectors/make-vectors.ts';

const DIM = 19;
const opened: { close(): void }[] = [];

function share(vectors: Float32Array, count: number, memory = sharedVectorMemory()): SharedVectors {
  const dim = vectors.length / count;
  const shared = new SharedVectors(dim, memory);
  opened.push(shared);
  shared.extend(count, (row, n) => vectors.subarray(row * dim, (row + n) * dim));
  return shared;
}
afterEach(() => {
  for (const shared of opened.splice(0)) shared.close();
});

async function openInverted(vectors: Float32Array, count: number): Promise<InvertedVectorIndex> {
  const shared = share(vectors, count);
  const { dim } = shared;
  const alive = rowsWhere(count, () => true);
  const { lists } = await buildLists({ vectors: new HeldVectors(vectors, dim), count, alive, threads: 1 });
  const index = new InvertedVectorIndex(shared, new ExactVectorIndex(shared), lists);
  opened.push(index);
  return index;
}

/** An index that walks whatever the cost. @param damage Changes the neighbours before they are written. */
async function openWalked(
  vectors: Float32Array,
  count: number,
  damage?: (neighbors: Int32Array) => void,
): Promise<InvertedVectorIndex> {
  const shared = share(vectors, count);
  const { dim } = shared;
  const source = { vectors: new HeldVectors(vectors, dim), count, threads: 1 };
  const built = await buildLists({ ...source, alive: rowsWhere(count, () => true) });
  const graph = await buildNeighborGraph({ ...source, built });
  damage?.(graph.rows);
  const file = join(await temporaryFolder(), 'graph');
  writeGraph(file, graph);
  const walked = GraphFile.open(file, count);
  expect(walked).toBeDefined();
  const index = new InvertedVectorIndex(shared, new ExactVectorIndex(shared), built.lists, walked, 0);
  opened.push(index);
  return index;
}

/** All vector indexes with their requirements. Approximate indexes must meet the recall almost always. */
const implementations: {
  name: string;
  open: (vectors: Float32Array, count: number) => Promise<VectorIndex>;
  recall: number;
}[] = [
  { name: 'exact', open: async (vectors, count) => new ExactVectorIndex(share(vectors, count)), recall: 1 },
  { name: 'inverted', open: openInverted, recall: 0.98 },
  { name: 'walked', open: openWalked, recall: 0.98 },
];

function nearest(vectors: Float32Array, query: Float32Array, k: number, allow: RowSet): number[] {
  const dim = query.length;
  return [...allow.toRows()]
    .map((row) => ({ row, similarity: innerProduct(query, 0, vectors, row * dim, dim) }))
    .sort((a, b) => b.similarity - a.similarity || a.row - b.row)
    .slice(0, k)
    .map(({ row }) => row);
}

/**
 * Returns the share of the k nearest rows that an index finds over many queries. Each result is also checked for all other requirements.
 */
async function recallOf(index: VectorIndex, vectors: Float32Array, queries: Float32Array[], k: number, allow: RowSet) {
  let [found, expected] = [0, 0];
  for (const query of queries) {
    const matches = await index.search(query, k, allow);
    const truth = nearest(vectors, query, k, allow);
    expect(matches).toHaveLength(truth.length);
    expect(matches.every(({ row }) => allow.has(row))).toBe(true);
    for (const [nth, { row, similarity }] of matches.entries()) {
      expect(similarity).toBeCloseTo(innerProduct(query, 0, vectors, row * query.length, query.length), 4);
      expect(similarity).toBeLessThanOrEqual(matches[nth - 1]?.similarity ?? 2);
    }
    found += matches.filter(({ row }) => truth.includes(row)).length;
    expected += truth.length;
  }
  return expected === 0 ? 1 : found / expected;
}

const clustered = {
  count: 9000,
  dim: DIM,
  vectors: () => bunches({ count: 9000, dim: DIM, groups: 60, spread: 0.5, seed: 1 }),
};
const smooth = {
  count: 4000,
  dim: 512,
  vectors: () => manifold({ count: 4000, dim: 512, latent: 16, seed: 1 }),
};

describe.each(implementations)('the $name vector index', ({ open, recall }) => {
  it.each([
    ['clustered', clustered],
    ['smooth', smooth],
  ])('finds the most similar allowed rows, best first, for none, few or all: %s', async (_, set) => {
    const { count, dim } = set;
    const vectors = set.vectors();
    const index = await open(vectors, count);
    expect(index.count).toBe(count);
    const queries = Array.from({ length: 25 }, (_, nth) => Math.floor((nth * count) / 25)).map((row) =>
      vectors.subarray(row * dim, (row + 1) * dim),
    );
    for (const every of [0, 1000, 10, 1]) {
      const allow = RowSet.where(count, (row) => every > 0 && row % every === 0);
      for (const k of [10, 300]) {
        expect(await recallOf(index, vectors, queries, k, allow)).toBeGreaterThanOrEqual(recall);
      }
    }
  });

  it('finds them for vectors that are dissimilar to all stored ones', async () => {
    const { count } = clustered;
    const vectors = clustered.vectors();
    const index = await open(vectors, count);
    const others = bunches({ count: 25, dim: DIM, groups: 25, spread: 1, seed: 99 });
    const queries = Array.from({ length: 25 }, (_, nth) => {
      const between = others
        .subarray(nth * DIM, (nth + 1) * DIM)
        .map((value, axis) => value + (vectors[nth * DIM + axis] ?? 0));
      const norm = Math.hypot(...between);
      return between.map((value) => value / norm);
    });
    const everything = RowSet.where(count, () => true);
    expect(await recallOf(index, vectors, queries, 10, everything)).toBeGreaterThanOrEqual(recall);
  });

  it('gives the similarity of any rows in their order', async () => {
    const vectors = bunches({ count: 500, dim: DIM, groups: 5, spread: 0.4, seed: 2 });
    const index = await open(vectors, 500);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(499)), fc.nat(499), async (rows, query) => {
        const vector = vectors.subarray(query * DIM, (query + 1) * DIM);
        const similarities = await index.similarities(vector, Int32Array.from(rows));
        expect(similarities).toHaveLength(rows.length);
        for (const [at, row] of rows.entries()) {
          expect(similarities[at]).toBeCloseTo(innerProduct(vector, 0, vectors, row * DIM, DIM), 4);
        }
      }),
      { numRuns: 30 },
    );
  });
});

it('a walk along a damaged graph returns only allowed rows, and as many as are wanted', async () => {
  const { count } = clustered;
  const vectors = clustered.vectors();
  const index = await openWalked(vectors, count, (neighbors) => {
    for (let at = 0; at < neighbors.length; at += 3) neighbors[at] = at % 2 === 0 ? count + at : -7 - at;
  });
  const allow = RowSet.where(count, (row) => row % 2 === 0);
  for (const k of [10, 3000]) {
    expect(await recallOf(index, vectors, [vectors.subarray(0, DIM)], k, allow)).toBeGreaterThan(0.9);
  }
});

it('a graph of other rows, or cut off, is not walked', async () => {
  const file = join(await temporaryFolder(), 'graph');
  writeGraph(file, emptyGraph(100));
  expect(GraphFile.open(file, 101)).toBeUndefined();
  expect(GraphFile.open(`${file}-missing`, 100)).toBeUndefined();
  truncateSync(file, 999);
  expect(GraphFile.open(file, 100)).toBeUndefined();
});

describe('shared vectors', () => {
  it('are read once for all readers, and extended by appended vectors', () => {
    const vectors = bunches({ count: 6000, dim: DIM, groups: 5, spread: 0.4, seed: 3 });
    const memory = sharedVectorMemory();
    share(vectors.subarray(0, 5000 * DIM), 5000, memory);
    const other = new SharedVectors(DIM, memory);
    opened.push(other);
    const requested: number[] = [];
    other.extend(6000, (row, n) => {
      requested.push(row);
      return vectors.subarray(row * DIM, (row + n) * DIM);
    });
    expect(requested).toEqual([5000]);
    other.score(vectors.subarray(0, DIM), Int32Array.of(0, 5999), (_, scores) => {
      expect(scores[0]).toBeCloseTo(1, 5);
      expect(scores[1]).toBeCloseTo(innerProduct(vectors, 0, vectors, 5999 * DIM, DIM), 5);
    });
  });

  it('are found by their codes when there are many, and ranked by their full precision', async () => {
    const [count, dim, k] = [70_000, 128, 100];
    const vectors = manifold({ count, dim, latent: 16, seed: 4 });
    const index = new ExactVectorIndex(share(vectors, count));
    const everything = rowsWhere(count, () => true);
    const allow = RowSet.of(count, everything);
    let found = 0;
    for (const row of [0, 31_111, count - 1]) {
      const query = vectors.subarray(row * dim, (row + 1) * dim);
      const matches = await index.search(query, k, allow);
      const truth = new Set(nearest(vectors, query, k, allow));
      found += matches.filter((match) => truth.has(match.row)).length;
      expect(matches[0]?.row).toBe(row);
      for (const match of matches) {
        expect(match.similarity).toBeCloseTo(innerProduct(query, 0, vectors, match.row * dim, dim), 5);
      }
    }
    expect(found / (3 * k)).toBeGreaterThan(0.99);
  });

  it('can be searched before they are in memory, with the same results', async () => {
    const [count, dim] = [70_000, 128];
    const vectors = manifold({ count, dim, latent: 16, seed: 4 });
    const shared = new SharedVectors(dim, sharedVectorMemory());
    opened.push(shared);
    let nRead = 0;
    const read = (row: number, n: number) => {
      nRead += n;
      return vectors.subarray(row * dim, (row + n) * dim);
    };
    shared.extend(count, read);
    expect(nRead).toBe(0);
    const query = vectors.subarray(31 * dim, 32 * dim);
    const find = (allow: RowSet) => new ExactVectorIndex(shared).search(query, 50, allow);
    const few = RowSet.where(count, (row) => row % 100 === 31);
    expect((await find(few))[0]?.row).toBe(31);
    expect(nRead).toBe(few.count + 50 + Math.ceil(50 / 4) + 32);
    const everything = RowSet.where(count, () => true);
    const before = await find(everything);

    expect([40_000, 40_000, 40_000].map((most) => shared.extendCodes(most))).toEqual([40_000, 30_000, 0]);
    expect([40_000, 40_000, 40_000].map((most) => shared.extendVectors(most))).toEqual([40_000, 30_000, 0]);
    nRead = 0;
    const after = await find(everything);
    expect(nRead).toBe(0);
    expect(after.map(({ row }) => row)).toEqual(before.map(({ row }) => row));
    for (const [nth, { similarity }] of after.entries()) {
      expect(similarity).toBeCloseTo(before[nth]?.similarity ?? 0, 6);
    }
  });

  it.each([5000, 70_000])('are never found, and like nothing, where they have no direction, of %i', async (count) => {
    const dim = 128;
    const vectors = bunches({ count, dim, groups: 50, spread: 0.4, seed: 6 });
    const blank = [0, 4095, 4096, count - 1];
    for (const row of blank) vectors.fill(0, row * dim, (row + 1) * dim);
    const index = new ExactVectorIndex(share(vectors, count));
    const query = vectors.subarray(7 * dim, 8 * dim);
    const allow = RowSet.of(count, [...blank, 7, 9]);
    expect((await index.search(query, 10, allow)).map(({ row }) => row).sort()).toEqual([7, 9]);
    const similarities = await index.similarities(query, Int32Array.of(0, 7, 4096, count - 1));
    expect([...similarities].map(Number.isFinite)).toEqual([false, true, false, false]);
  });

  it('are read again with their codes when they have another version', async () => {
    const [count, dim] = [70_000, 128];
    const vectors = bunches({ count, dim, groups: 50, spread: 0.4, seed: 5 });
    const shared = share(vectors, count);
    const turned = vectors.map((value) => -value);
    shared.extend(count, (row, n) => turned.subarray(row * dim, (row + n) * dim), 1);
    const query = turned.subarray(7 * dim, 8 * dim);
    const [best] = await new ExactVectorIndex(shared).search(
      query,
      1,
      RowSet.where(count, () => true),
    );
    expect(best?.row).toBe(7);
    expect(best?.similarity).toBeCloseTo(1, 5);
  });

  it('serve 31 readers at once, and later readers again', () => {
    const memory = sharedVectorMemory();
    const readers = Array.from({ length: 31 }, () => new SharedVectors(DIM, memory));
    expect(() => new SharedVectors(DIM, memory)).toThrow('too many');
    readers[7]?.close();
    readers[7] = new SharedVectors(DIM, memory);
    opened.push(...readers);
  });
});
