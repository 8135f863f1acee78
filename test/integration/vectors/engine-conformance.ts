import { describe, expect, it } from 'vitest';
import type {
  GenerationState,
  IndexVersion,
  SpaceAddress,
  VectorCollection,
  VectorEngine,
} from '../../../src-main/core/ports/vector-engine.ts';
import { placeFiles } from '../../../src-main/infra/dataset-store/disk/generation-files.ts';
import { collectGraph } from '../../../src-main/infra/vectors/neighbors/neighbor-graph.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { innerProduct, rowsWhere } from '../../../src-main/infra/vectors/rows.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { bunches } from '../../unit/vectors/make-vectors.ts';

const [DIM, COUNT, K] = [24, 1500, 10];
/** Rows of the tests with an index: more than {@link EngineUnderTest.exact_rows}. */
const MANY = 4000;
const ADDRESS: SpaceAddress = { space: 'looks', entity_type: 'IMAGES', encoder_id: 'made', dim: DIM };

/** An engine under test. Each call of `start` provides separate storage. */
export interface EngineUnderTest {
  name: string;
  /** Number of rows above which the engine may miss some of the nearest; below {@link MANY}, so that the tests compare its recall. */
  exact_rows: number;
  start: () => Promise<{
    /**
     * Opens the storage. An engine that was opened before may still be open, or its process may have been killed.
     * @param state Without it, all stored rows are searched.
     */
    open: (state?: GenerationState) => VectorEngine;
    /** The generation's folder, and a way to open the engine on another one. Undefined for an engine without files. */
    files?: { folder: string; openAt: (folder: string) => VectorEngine };
    /** Stores vectors in another process that is killed as soon as the engine has acknowledged them. Undefined if not supported. */
    storeAndDie?: (address: SpaceAddress, rows: Int32Array, vectors: Float32Array) => Promise<void>;
  }>;
}

/** Tests that every vector engine must pass. */
export function describeEngine({ name, exact_rows, start }: EngineUnderTest): void {
  describe(`the ${name} vector engine`, () => {
    const vectors = bunches({ count: COUNT, dim: DIM, groups: 40, spread: 0.4, seed: 11 });
    const everyRow = rowsWhere(COUNT, () => true);
    const vectorOf = (row: number) => vectors.slice(row * DIM, (row + 1) * DIM);
    const everything = RowSet.where(COUNT, () => true);

    const filled = async (): Promise<{ engine: VectorEngine; space: VectorCollection }> => {
      const engine = (await start()).open();
      const space = engine.open(ADDRESS);
      await space.upsert(everyRow, vectors);
      await space.flush();
      await space.copyOut({ count: COUNT, isFirst: true });
      return { engine, space };
    };
    const nearest = (query: Float32Array, k: number, allowed: RowSet, without = -1): number[] =>
      nearestOf(vectors, query, k, allowed.without(RowSet.of(COUNT, without < 0 ? [] : [without])));

    it('stores, replaces, removes and returns vectors by row', async () => {
      const { engine, space } = await filled();
      expect(await space.count()).toBe(COUNT);
      expect(await space.fetch(Int32Array.of(7, 3, COUNT + 5))).toEqual(
        Float32Array.of(...vectorOf(7), ...vectorOf(3), ...new Float32Array(DIM)),
      );
      expect(await space.fetchRange(20, 2)).toEqual(vectors.slice(20 * DIM, 22 * DIM));
      expect(space.vectorsOf(COUNT).gather(everyRow)).toEqual(vectors);
      await space.upsert(Int32Array.of(3), vectorOf(9));
      expect(await space.fetch(Int32Array.of(3))).toEqual(vectorOf(9));
      expect(await space.count()).toBe(COUNT);
      await space.remove(Int32Array.of(3, 5));
      await space.remove(Int32Array.of(5, COUNT + 9));
      expect(await space.count()).toBe(COUNT - 2);
      expect(await space.fetch(Int32Array.of(3, 4))).toEqual(Float32Array.of(...new Float32Array(DIM), ...vectorOf(4)));
      await engine.close();
    });

    it('finds the most similar of no row, one, few, half of the rows and all', async () => {
      const { engine, space } = await filled();
      for (const allowed of [
        new RowSet(COUNT),
        RowSet.of(COUNT, [77]),
        RowSet.where(COUNT, (row) => row % 100 === 0),
        RowSet.where(COUNT, (row) => row % 2 === 0),
        everything,
      ]) {
        let [found, expected] = [0, 0];
        for (let row = 0; row < COUNT; row += 60) {
          const query = vectorOf(row);
          const matches = await space.search(query, K, allowed);
          const truth = nearest(query, K, allowed);
          expect(matches).toHaveLength(truth.length);
          for (const [nth, match] of matches.entries()) {
            expect(allowed.has(match.row)).toBe(true);
            expect(match.similarity).toBeCloseTo(innerProduct(query, 0, vectors, match.row * DIM, DIM), 4);
            expect(match.similarity).toBeLessThanOrEqual(matches[nth - 1]?.similarity ?? 2);
          }
          found += matches.filter((match) => truth.includes(match.row)).length;
          expected += truth.length;
        }
        const what = `${allowed.toRows().length} rows`;
        expect(found, what).toBeGreaterThanOrEqual(expected * engine.capabilities.search_recall);
      }
      await engine.close();
    });

    it('returns the same for many vectors at once as for each', async () => {
      const { engine, space } = await filled();
      const allowed = RowSet.where(COUNT, (row) => row % 3 === 0);
      const queries = vectors.slice(0, 30 * DIM);
      const block = await space.searchMany(queries, K, allowed, { threads: 1 });
      let found = 0;
      for (let query = 0; query < 30; query += 1) {
        const rows = [...block.rows.subarray(query * K, (query + 1) * K)];
        expect(rows.every((row) => allowed.has(row))).toBe(true);
        const truth = nearest(vectorOf(query), K, allowed);
        found += rows.filter((row) => truth.includes(row)).length;
      }
      expect(found).toBeGreaterThanOrEqual(30 * K * engine.capabilities.search_recall);
      await engine.close();
    });

    it('never finds rows without a vector, and reports no similarity for them', async () => {
      const { engine, space } = await filled();
      await space.upsert(Int32Array.of(4), new Float32Array(DIM));
      await space.remove(Int32Array.of(6));
      const rows = (await space.search(vectorOf(4), COUNT, everything)).map(({ row }) => row);
      expect(rows).toHaveLength(COUNT - 2);
      expect(rows).not.toContain(4);
      expect(rows).not.toContain(6);
      const similarities = await space.similarities(vectorOf(8), Int32Array.of(4, 8, 6));
      expect(similarities[0]).toBe(Number.NEGATIVE_INFINITY);
      expect(similarities[1]).toBeCloseTo(1, 4);
      expect(similarities[2]).toBe(Number.NEGATIVE_INFINITY);
      await engine.close();
    });

    it('names the rows without a vector when it builds an index, except for dead ones', async () => {
      const { engine, space } = await filled();
      await space.remove(Int32Array.of(3, 5, 9));
      const built = await space.index({ version: 1, count: COUNT, base: undefined, dead_rows: [5], threads: 1 });
      expect([...built.blank_rows]).toEqual([3, 9]);
      await engine.close();
    });

    it('returns the nearest neighbours of all rows, without dead ones, also after rows were added', async () => {
      const { engine, space } = await filled();
      const dead = [2, 3];
      const base = { version: 1, count: COUNT - 100 };
      await space.index({ ...base, base: undefined, dead_rows: dead, threads: 1 });
      await space.copyOut({ ...base, isFirst: true });
      const index = { version: 2, count: COUNT };
      const built = await space.index({ ...index, base, dead_rows: dead, threads: 1 });
      expect(await space.checkIndex({ ...index, sha256: built.sha256 }, async () => undefined)).toBeUndefined();
      const graph = await collectGraph(space.neighbors(index), COUNT);
      const alive = RowSet.where(COUNT, (row) => !dead.includes(row));
      let found = 0;
      let nAsked = 0;
      for (let row = 5; row < COUNT; row += 50) {
        const rows = [...graph.rows.subarray(row * graph.k, row * graph.k + K)];
        expect(rows.some((one) => one === row || dead.includes(one))).toBe(false);
        const truth = nearest(vectorOf(row), K, alive, row);
        found += rows.filter((one) => truth.includes(one)).length;
        nAsked += 1;
      }
      expect(found).toBeGreaterThanOrEqual(nAsked * K * engine.capabilities.neighbor_recall);
      await engine.close();
    });

    it('finds the most similar through its index, for any filter, after changes, and after a restart', async () => {
      expect(exact_rows).toBeLessThan(MANY / 2);
      const many = bunches({ count: MANY, dim: DIM, groups: 90, spread: 0.5, seed: 12 });
      const rowsOf = (isIncluded: (row: number) => boolean) => RowSet.where(MANY, isIncluded);
      let [published, nChanges]: [IndexVersion | undefined, number] = [undefined, 0];
      const { open } = await start();
      const reopen = () => open({ indexed: () => published, vectorsState: () => nChanges });
      let engine = reopen();
      let space = engine.open(ADDRESS);
      const store = async (rows: Int32Array, isBlank = false) => {
        nChanges += 1;
        const stored = new Float32Array(rows.length * DIM);
        if (!isBlank) for (const [at, row] of rows.entries()) stored.set(vectorAt(many, row), at * DIM);
        await space.upsert(rows, stored);
      };
      const publish = async (index: IndexVersion, dead: Iterable<number> = []) => {
        await space.index({ ...index, base: published, dead_rows: [...dead], threads: 1 });
        await space.copyOut({ ...index, isFirst: true });
        published = index;
      };
      /** Share of the nearest that searches find for some of the stored rows. */
      const recallAmong = async (stored: RowSet, queries: RowSet, allowed: RowSet) => {
        const truthAmong = allowed.and(stored);
        let [found, expected] = [0, 0];
        for (const row of queries.and(stored).toRows()) {
          const query = vectorAt(many, row);
          const rows = (await space.search(query, K, allowed)).map((match) => match.row);
          const truth = nearestOf(many, query, K, truthAmong);
          expect(rows).toHaveLength(truth.length);
          expect(rows.every((one) => truthAmong.has(one))).toBe(true);
          found += rows.filter((one) => truth.includes(one)).length;
          expected += truth.length;
        }
        return expected === 0 ? 1 : found / expected;
      };
      const least = engine.capabilities.search_recall;
      const [late, old, removed] = [rowsOf((row) => row % 61 === 7), MANY - 300, rowsOf((row) => row % 97 === 11)];
      const whole = rowsOf(() => true);
      const some = rowsOf((row) => row % 160 === 0);

      await store(rowsOf((row) => row < old).toRows());
      await store(
        late.toRows().filter((row) => row < old),
        true,
      );
      await publish({ version: 1, count: old });
      const before = rowsOf((row) => row < old && !late.has(row));
      for (const every of [MANY, 400, 40, 4, 1]) {
        const allowed = rowsOf((row) => row % every === 0);
        expect(await recallAmong(before, some, allowed), `one row of ${every}`).toBeGreaterThanOrEqual(least);
      }

      await store(rowsOf((row) => row >= old).toRows());
      await store(late.toRows());
      await space.remove(removed.toRows());
      nChanges += 1;
      await publish({ version: 2, count: MANY }, removed.toRows());
      const after = whole.without(removed);
      for (const isReopened of [false, true]) {
        if (isReopened) {
          await engine.close();
          engine = reopen();
          space = engine.open(ADDRESS);
        }
        expect(await recallAmong(after, some, whole)).toBeGreaterThanOrEqual(least);
        expect(await recallAmong(after, late, late)).toBeGreaterThanOrEqual(least);
        for (const [what, rows] of [
          ['late', late],
          ['added', rowsOf((row) => row >= old && row % 4 === 0)],
        ] as const) {
          const expected = [...rows.and(after).toRows()];
          let found = 0;
          for (const row of expected)
            found += (await space.search(vectorAt(many, row), 1, whole))[0]?.row === row ? 1 : 0;
          expect(found / expected.length, `${what} rows`).toBeGreaterThanOrEqual(least);
        }
      }
      const queries = [...some.and(after).toRows()];
      const block = await space.searchMany(
        Float32Array.from(queries.flatMap((row) => [...vectorAt(many, row)])),
        K,
        after,
      );
      const foundByAll = queries.map((row, nth) => {
        const truth = nearestOf(many, vectorAt(many, row), K, after);
        return [...block.rows.subarray(nth * K, (nth + 1) * K)].filter((one) => truth.includes(one)).length;
      });
      expect(foundByAll.reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(queries.length * K * least);
      await engine.close();
    });

    it('lists the files of an independent copy with the same rows and index', async ({ skip }) => {
      const { open, files } = await start();
      if (!files) return skip('the engine has no files');
      const engine = open();
      const space = engine.open(ADDRESS);
      await space.upsert(everyRow, vectors);
      const index = { version: 1, count: COUNT };
      await space.index({ ...index, base: undefined, dead_rows: [], threads: 1 });
      await space.flush();
      const listed = await engine.listFiles(ADDRESS, { rows: COUNT - 10, index: 1 });
      const folder = await temporaryFolder();
      placeFiles(listed, files.folder, folder);
      const copy = files.openAt(folder);
      const copied = copy.open(ADDRESS);
      expect(await copied.fetchRange(0, COUNT - 10)).toEqual(vectors.slice(0, (COUNT - 10) * DIM));
      expect(await copied.count()).toBe(COUNT - 10);
      expect(await collectGraph(copied.neighbors(index), COUNT)).toEqual(
        await collectGraph(space.neighbors(index), COUNT),
      );
      await copied.upsert(Int32Array.of(3), vectorOf(9));
      await copied.index({ version: 2, count: COUNT - 10, base: undefined, dead_rows: [], threads: 1 });
      expect(await space.fetch(Int32Array.of(3))).toEqual(vectorOf(3));
      await Promise.all([engine.close(), copy.close()]);
    });

    it('keeps rows after a restart', async () => {
      const { open } = await start();
      const first = open();
      await first.open(ADDRESS).upsert(everyRow, vectors);
      await first.open(ADDRESS).remove(Int32Array.of(10));
      await first.close();
      const again = open();
      const space = again.open(ADDRESS);
      expect(await space.count()).toBe(COUNT - 1);
      expect(await space.fetch(Int32Array.of(9, 11))).toEqual(Float32Array.of(...vectorOf(9), ...vectorOf(11)));
      expect((await space.search(vectorOf(11), 1, everything))[0]?.row).toBe(11);
      await again.close();
    });

    it('answers searches while vectors are stored', async () => {
      const engine = (await start()).open();
      const space = engine.open(ADDRESS);
      const half = COUNT / 2;
      await space.upsert(everyRow.subarray(0, half), vectors.subarray(0, half * DIM));
      const known = RowSet.where(COUNT, (row) => row < half);
      const storing = (async () => {
        for (let first = half; first < COUNT; first += 50) {
          await space.upsert(everyRow.subarray(first, first + 50), vectors.subarray(first * DIM, (first + 50) * DIM));
        }
      })();
      for (let row = 0; row < half; row += 50) {
        expect((await space.search(vectorOf(row), 1, known))[0]?.row).toBe(row);
      }
      await storing;
      expect((await space.search(vectorOf(COUNT - 1), 1, everything))[0]?.row).toBe(COUNT - 1);
      await engine.close();
    });

    it('refuses vectors of another dimension and with components that are not finite, and stores none of them', async () => {
      const { engine, space } = await filled();
      const bad = vectorOf(1);
      bad[3] = Number.NaN;
      const infinite = vectorOf(1);
      infinite[0] = Number.POSITIVE_INFINITY;
      await expect(space.upsert(Int32Array.of(1), new Float32Array(DIM - 1))).rejects.toThrow();
      await expect(space.upsert(Int32Array.of(0, 1), Float32Array.of(...vectorOf(2), ...bad))).rejects.toThrow();
      await expect(space.upsert(Int32Array.of(1), infinite)).rejects.toThrow();
      await expect(space.search(new Float32Array(DIM + 1), K, everything)).rejects.toThrow();
      await expect(space.search(bad, K, everything)).rejects.toThrow();
      expect(await space.fetch(Int32Array.of(0, 1))).toEqual(Float32Array.of(...vectorOf(0), ...vectorOf(1)));
      await engine.close();
    });

    it('separates spaces, and drops one completely', async () => {
      const { engine, space } = await filled();
      const other = engine.open({ ...ADDRESS, entity_type: 'OBJECTS' });
      await other.upsert(Int32Array.of(0), vectorOf(1));
      expect(await space.fetch(Int32Array.of(0))).toEqual(vectorOf(0));
      await engine.drop(ADDRESS);
      await engine.drop(ADDRESS);
      await engine.drop({ space: 'meaning', entity_type: 'OBJECTS' });
      expect(await engine.open({ ...ADDRESS, entity_type: 'OBJECTS' }).fetch(Int32Array.of(0))).toEqual(vectorOf(1));
      const fresh = engine.open({ ...ADDRESS, encoder_id: 'another', epoch: 'later' });
      expect(await fresh.count()).toBe(0);
      await engine.close();
    });

    it('loses no acknowledged write when its process is killed before a flush', async ({ skip }) => {
      const { open, storeAndDie } = await start();
      if (!storeAndDie) return skip('the engine is not a part of this process');
      await storeAndDie(ADDRESS, everyRow, vectors);
      const engine = open();
      expect(await engine.open(ADDRESS).count()).toBe(COUNT);
      expect(engine.open(ADDRESS).vectorsOf(COUNT).gather(everyRow)).toEqual(vectors);
      await engine.close();
    });
  });
}

function vectorAt(vectors: Float32Array, row: number): Float32Array {
  return vectors.subarray(row * DIM, (row + 1) * DIM);
}

function nearestOf(vectors: Float32Array, query: Float32Array, k: number, allowed: RowSet): number[] {
  return [...allowed.toRows()]
    .map((row) => ({ row, similarity: innerProduct(query, 0, vectors, row * DIM, DIM) }))
    .sort((a, b) => b.similarity - a.similarity || a.row - b.row)
    .slice(0, k)
    .map(({ row }) => row);
}
