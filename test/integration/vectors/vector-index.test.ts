import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { OpenVectorIndex, VectorIndex } from '../../../src-main/core/ports/vector-index.ts';
import { ExactVectorIndex } from '../../../src-main/infra/vectors/exact-vector-index.ts';
import { FaissIndex } from '../../../src-main/infra/vectors/faiss-index.ts';
import { loadFaiss } from '../../../src-main/infra/vectors/faiss-loader.ts';
import { innerProduct } from '../../../src-main/infra/vectors/rows.ts';
import { bunches } from '../../unit/vectors/make-vectors.ts';

const DIM = 16;
const loaded = loadFaiss();
/** What every vector index must do; those that are approximate must do it nearly always. */
const implementations: { name: string; open: OpenVectorIndex; recall: number }[] = [
  { name: 'exact', open: (options) => ExactVectorIndex.open(options), recall: 1 },
  ...('faiss' in loaded
    ? [
        {
          name: 'faiss',
          open: (options: Parameters<OpenVectorIndex>[0]) => FaissIndex.open(loaded.faiss, options),
          recall: 0.95,
        },
      ]
    : []),
];

const vectorOf = (vectors: Float32Array, row: number) => vectors.subarray(row * DIM, (row + 1) * DIM);
const ids = (...numbers: number[]) => Int32Array.from(numbers);
const upTo = (count: number) => Int32Array.from({ length: count }, (_, row) => row);

describe.each(implementations)('the $name vector index', ({ open, recall }) => {
  const opened: VectorIndex[] = [];
  async function openIndex(): Promise<VectorIndex> {
    const index = await open({ dim: DIM, threads: 1 });
    opened.push(index);
    return index;
  }
  afterEach(async () => {
    for (const index of opened.splice(0)) await index.close();
  });

  it('is empty at first, and answers nothing', async () => {
    const index = await openIndex();
    expect(await index.count()).toBe(0);
    expect(await index.search(new Float32Array(DIM).fill(0.25), 5)).toEqual([]);
    await index.remove(ids(3));
    expect(await index.count()).toBe(0);
  });

  it('finds the most similar, best first, with true similarities', async () => {
    const count = 2000;
    const vectors = bunches({ count, dim: DIM, groups: 40, spread: 0.5, seed: 1 });
    const index = await openIndex();
    await index.upsert(upTo(1200), vectors.subarray(0, 1200 * DIM));
    await index.upsert(upTo(count).subarray(1200), vectors.subarray(1200 * DIM));
    expect(await index.count()).toBe(count);
    let found = 0;
    for (let query = 0; query < count; query += 40) {
      const vector = vectorOf(vectors, query);
      const truth = Array.from(upTo(count), (id) => ({
        id,
        similarity: innerProduct(vector, 0, vectors, id * DIM, DIM),
      }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, 10);
      const matches = await index.search(vector, 10);
      expect(matches).toHaveLength(10);
      expect(matches[0]?.id).toBe(query);
      for (const [nth, match] of matches.entries()) {
        expect(match.similarity).toBeCloseTo(innerProduct(vector, 0, vectors, match.id * DIM, DIM), 4);
        expect(match.similarity).toBeLessThanOrEqual(matches[nth - 1]?.similarity ?? 1.001);
      }
      found += truth.filter(({ id }) => matches.some((match) => match.id === id)).length;
    }
    expect(found / 500).toBeGreaterThanOrEqual(recall);
  });

  it('knows what it was told last, through any sequence of additions, replacements and removals', async () => {
    const step = fc.record({
      id: fc.integer({ min: 0, max: 15 }),
      seed: fc.integer({ min: 1, max: 500 }),
      gone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const index = await openIndex();
        const model = new Map<number, Float32Array>();
        for (const { id, seed, gone } of steps) {
          const vector = bunches({ count: 1, dim: DIM, groups: 1, spread: 1, seed });
          if (gone) await index.remove(ids(id));
          else await index.upsert(ids(id), vector);
          if (gone) model.delete(id);
          else model.set(id, vector);
        }
        expect(await index.count()).toBe(model.size);
        for (const [id, vector] of model) {
          expect(await index.fetch(ids(id))).toEqual(vector);
          const matches = await index.search(vector, 20);
          expect(matches.map((match) => match.id).sort((a, b) => a - b)).toEqual(
            [...model.keys()].sort((a, b) => a - b),
          );
          expect(matches[0]?.similarity).toBeCloseTo(1, 4);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('gives only what is allowed, be that little or nearly everything', async () => {
    const count = 1000;
    const vectors = bunches({ count, dim: DIM, groups: 10, spread: 0.4, seed: 3 });
    const index = await openIndex();
    await index.upsert(upTo(count), vectors);
    for (const allow of [
      new Set([5, 17, 999]),
      new Set(upTo(count).filter((id) => id % 10 !== 0)),
      new Set<number>(),
    ]) {
      const matches = await index.search(vectorOf(vectors, 0), 12, allow);
      expect(matches).toHaveLength(Math.min(12, allow.size));
      expect(matches.every(({ id }) => allow.has(id))).toBe(true);
    }
    expect(await index.search(vectorOf(vectors, 0), 3, new Set([4000]))).toEqual([]);
  });

  it('gives the neighbours of what it holds, without itself', async () => {
    const vectors = bunches({ count: 60, dim: DIM, groups: 3, spread: 0.1, seed: 4 });
    const index = await openIndex();
    await index.upsert(upTo(60), vectors);
    const lists = await index.neighbors(ids(0, 31), 8);
    expect(lists.map((list) => list.length)).toEqual([8, 8]);
    expect(lists[0]?.every(({ id }) => id !== 0 && id % 3 === 0)).toBe(true);
    expect(lists[1]?.every(({ id }) => id !== 31 && id % 3 === 1)).toBe(true);
    await expect(index.neighbors(ids(60), 8)).rejects.toThrow('no vector 60');
    await expect(index.fetch(ids(-1))).rejects.toThrow('no vector -1');
  });

  it('refuses ids and vectors that are none', async () => {
    const index = await openIndex();
    await expect(index.upsert(ids(-1), new Float32Array(DIM))).rejects.toThrow('whole number');
    await expect(index.upsert(ids(1), new Float32Array(3))).rejects.toThrow(`has ${DIM} numbers`);
  });
});

if ('missing' in loaded) it('the faiss vector index', (context) => context.skip(loaded.missing));
