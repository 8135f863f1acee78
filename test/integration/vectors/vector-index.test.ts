import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { VectorIndex } from '../../../src-main/core/ports/vector-index.ts';
import { ExactVectorIndex } from '../../../src-main/infra/vectors/exact-vector-index.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { innerProduct } from '../../../src-main/infra/vectors/rows.ts';
import { SharedVectors, sharedVectorMemory } from '../../../src-main/infra/vectors/shared-vectors.ts';
import { bunches } from '../../unit/vectors/make-vectors.ts';

const DIM = 19;
const opened: SharedVectors[] = [];

function share(vectors: Float32Array, count: number, memory = sharedVectorMemory()): SharedVectors {
  const shared = new SharedVectors(DIM, memory);
  opened.push(shared);
  shared.extend(count, (row, n) => vectors.subarray(row * DIM, (row + n) * DIM));
  return shared;
}
afterEach(() => {
  for (const shared of opened.splice(0)) shared.close();
});

/** What every vector index must do; those that are approximate must do it nearly always. */
const implementations: { name: string; open: (vectors: SharedVectors) => VectorIndex; recall: number }[] = [
  { name: 'exact', open: (vectors) => new ExactVectorIndex(vectors), recall: 1 },
];

function nearest(vectors: Float32Array, query: Float32Array, k: number, allow: RowSet): number[] {
  return [...allow.toRows()]
    .map((row) => ({ row, similarity: innerProduct(query, 0, vectors, row * DIM, DIM) }))
    .sort((a, b) => b.similarity - a.similarity || a.row - b.row)
    .slice(0, k)
    .map(({ row }) => row);
}

describe.each(implementations)('the $name vector index', ({ open, recall }) => {
  it('finds the most similar of what is allowed, best first, be that nothing, little or everything', async () => {
    const count = 9000;
    const vectors = bunches({ count, dim: DIM, groups: 60, spread: 0.5, seed: 1 });
    const index = open(share(vectors, count));
    expect(index.count).toBe(count);
    for (const share of [0, 1000, 10, 1]) {
      const allow = RowSet.where(count, (row) => share > 0 && row % share === 0);
      let [found, wanted] = [0, 0];
      for (let at = 0; at < count; at += 400) {
        const query = vectors.subarray(at * DIM, (at + 1) * DIM);
        const matches = await index.search(query, 10, allow);
        const truth = nearest(vectors, query, 10, allow);
        expect(matches).toHaveLength(truth.length);
        expect(matches.every(({ row }) => allow.has(row))).toBe(true);
        for (const [nth, { row, similarity }] of matches.entries()) {
          expect(similarity).toBeCloseTo(innerProduct(query, 0, vectors, row * DIM, DIM), 4);
          expect(similarity).toBeLessThanOrEqual(matches[nth - 1]?.similarity ?? 2);
        }
        found += matches.filter(({ row }) => truth.includes(row)).length;
        wanted += truth.length;
      }
      expect(found).toBeGreaterThanOrEqual(wanted * recall);
    }
  });

  it('gives the similarity of any rows in their order', async () => {
    const vectors = bunches({ count: 500, dim: DIM, groups: 5, spread: 0.4, seed: 2 });
    const index = open(share(vectors, 500));
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

describe('shared vectors', () => {
  it('are read once, whoever asks first, and extended by what was appended', () => {
    const vectors = bunches({ count: 6000, dim: DIM, groups: 5, spread: 0.4, seed: 3 });
    const memory = sharedVectorMemory();
    share(vectors, 5000, memory);
    const other = new SharedVectors(DIM, memory);
    opened.push(other);
    const asked: number[] = [];
    other.extend(6000, (row, n) => {
      asked.push(row);
      return vectors.subarray(row * DIM, (row + n) * DIM);
    });
    expect(asked).toEqual([5000]);
    other.score(vectors.subarray(0, DIM), Int32Array.of(0, 5999), (_, scores) => {
      expect(scores[0]).toBeCloseTo(1, 5);
      expect(scores[1]).toBeCloseTo(innerProduct(vectors, 0, vectors, 5999 * DIM, DIM), 5);
    });
  });

  it('have room for 31 readers at once, and again for those that come after', () => {
    const memory = sharedVectorMemory();
    const readers = Array.from({ length: 31 }, () => new SharedVectors(DIM, memory));
    expect(() => new SharedVectors(DIM, memory)).toThrow('too many');
    readers[7]?.close();
    readers[7] = new SharedVectors(DIM, memory);
    opened.push(...readers);
  });
});
