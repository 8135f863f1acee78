import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexMode } from '../../../src-main/core/ports/index-jobs.ts';
import { EXACT_ROWS } from '../../../src-main/infra/vectors/built-in/build-lists.ts';
import { readGraph } from '../../../src-main/infra/vectors/built-in/graph-file.ts';
import { readLists } from '../../../src-main/infra/vectors/built-in/lists-file.ts';
import { readClusters } from '../../../src-main/infra/vectors/clustering/cluster-file.ts';
import { runIndexJob } from '../../../src-main/infra/vectors/index-job.ts';
import { indexFiles, indexRequest, storeVectors } from '../../support/index-request.ts';
import { bunches, partition } from '../../unit/vectors/make-vectors.ts';

const [DIM, COUNT, OLD] = [24, 900, 860];
const LINKAGE_THRESHOLDS = [0.95, 0.85, 0.7, 0.5, 0.3];

interface RunOptions {
  folder?: string;
  /** Name of the published index that reads use. */
  base?: string;
  mode?: IndexMode;
  count?: number;
  dead_rows?: readonly number[];
  signal?: AbortSignal;
}

describe('the index job', () => {
  const root = mkdtempSync(join(tmpdir(), 'vitrine-index-job-'));
  const vectors = bunches({ count: COUNT, dim: DIM, groups: 30, spread: 0.25, seed: 8 });
  /** Indexes by name, each with its own version. */
  const made = new Map<string, { version: number; count: number; folder: string }>();
  const at = (name: string) => {
    const { folder, version } = made.get(name) ?? { folder: '', version: 0 };
    return indexFiles(folder, version);
  };
  const run = (name: string, more: RunOptions = {}) => {
    const { folder = join(root, 'vectors'), base, mode = 'full', count = COUNT, dead_rows = [] } = more;
    const known = made.get(name);
    const version = known?.folder === folder ? known.version : made.size + 1;
    made.set(name, { version, count, folder });
    const published = base === undefined ? undefined : made.get(base);
    return runIndexJob(
      indexRequest(folder, {
        dim: DIM,
        linkage_thresholds: LINKAGE_THRESHOLDS,
        ...{ count, version, mode, dead_rows },
        ...(published ? { published } : {}),
      }),
      { threads: 1, signal: more.signal },
    );
  };
  const labels = (name: string, level: number) => readClusters(at(name).clusters)[level]?.labels ?? new Int32Array();
  const bytes = (name: string, kind: 'graph' | 'clusters' | 'uniqueness') => readFileSync(at(name)[kind]);
  const scores = (name: string) => new Float32Array(new Uint8Array(bytes(name, 'uniqueness')).buffer);

  beforeAll(async () => {
    await storeVectors(join(root, 'vectors'), vectors, DIM);
    await run('full', {});
    await run('old', { count: OLD });
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('writes the same bytes on a second run', async () => {
    await run('again', {});
    for (const kind of ['graph', 'clusters', 'uniqueness'] as const)
      expect(bytes('again', kind)).toEqual(bytes('full', kind));
  });

  it('extends an existing graph: the same neighbours as from scratch, with the old clusters', async () => {
    const summary = await run('more', { mode: 'extend', base: 'old' });
    expect(summary.recall_estimate).toBe(1);
    expect(readGraph(at('more').graph).rows).toEqual(readGraph(at('full').graph).rows);
    for (const level of LINKAGE_THRESHOLDS.keys())
      expect(partition(labels('more', level).subarray(0, OLD))).toEqual(partition(labels('old', level)));
    expect(partition(labels('more', 2))).toEqual(partition(labels('full', 2)));
    expect([...scores('more')].map((score) => score.toFixed(3))).toEqual(
      [...scores('full')].map((score) => score.toFixed(3)),
    );
  });

  it('reclusters an extended graph to the result of a full run', async () => {
    await run('more', { mode: 'extend', base: 'old' });
    await run('anew', { mode: 'recluster', base: 'more' });
    for (const level of LINKAGE_THRESHOLDS.keys())
      expect(partition(labels('anew', level))).toEqual(partition(labels('full', level)));
  });

  it('searches the missing rows of a graph before it reclusters', async () => {
    await run('lacking', { mode: 'recluster', base: 'old' });
    expect(readGraph(at('lacking').graph).count).toBe(COUNT);
    expect(partition(labels('lacking', 2))).toEqual(partition(labels('full', 2)));
  });

  it.each(['full', 'extend', 'recluster'] as const)('leaves dead rows out of everything (%s)', async (mode) => {
    const deadRows = [0, 30, 31, 870];
    await run('dead', { mode, base: 'old', dead_rows: deadRows });
    const graph = readGraph(at('dead').graph);
    for (let row = 0; row < COUNT; row += 1) {
      if (deadRows.includes(row)) continue;
      const list = graph.rows.subarray(row * graph.k, (row + 1) * graph.k);
      expect(deadRows.some((dead) => list.includes(dead))).toBe(false);
    }
    for (const level of LINKAGE_THRESHOLDS.keys()) {
      expect(deadRows.map((row) => labels('dead', level)[row])).toEqual([-1, -1, -1, -1]);
      expect(readClusters(at('dead').clusters)[level]?.members).toHaveLength(COUNT - deadRows.length);
    }
    expect(deadRows.map((row) => scores('dead')[row])).toEqual([0, 0, 0, 0]);
  });

  it.each(['full', 'extend', 'recluster'] as const)(
    'gives rows without a vector clusters of their own, and no neighbours (%s)',
    async (mode) => {
      const blank = [5, 6, 875];
      const some = { folder: join(root, `blank-${mode}`) };
      const isBlank = (place: number) => blank.includes(Math.floor(place / DIM));
      await storeVectors(
        some.folder,
        vectors.map((value, place) => (isBlank(place) ? 0 : value)),
        DIM,
      );
      await run('blank-old', { ...some, count: OLD });
      await run('blank', { ...some, mode, base: 'blank-old' });
      const { k, rows } = readGraph(at('blank').graph);
      for (let row = 0; row < COUNT; row += 1) {
        const list = rows.subarray(row * k, (row + 1) * k);
        expect(blank.some((one) => list.includes(one))).toBe(false);
        expect(list[0] === -1).toBe(blank.includes(row));
      }
      for (const level of readClusters(at('blank').clusters)) {
        expect(level.members.toSorted()).toEqual(Int32Array.from({ length: COUNT }, (_, row) => row));
        for (const row of blank) expect(level.labels.filter((label) => label === level.labels[row])).toHaveLength(1);
      }
      // After the lost vectors are stored again, a reindex finds their neighbours.
      await storeVectors(some.folder, vectors, DIM);
      await run('found', { ...some, mode: 'recluster', base: 'blank' });
      expect(partition(labels('found', 2))).toEqual(partition(labels('full', 2)));
    },
  );

  it('includes dead rows again when they are live', async () => {
    await run('dead', { dead_rows: [7, 8] });
    await run('back', { mode: 'extend', base: 'dead' });
    expect(partition(labels('back', 2))).toEqual(partition(labels('full', 2)));
  });

  it('works with no rows, and with a single row', async () => {
    expect((await run('none', { count: 0 })).n_clusters).toEqual([0, 0, 0, 0, 0]);
    expect((await run('one', { count: 1 })).n_clusters).toEqual([1, 1, 1, 1, 1]);
    expect(scores('one')[0]).toBe(1);
    const grown = await run('two', {
      mode: 'extend',
      count: 2,
      base: 'none',
    });
    expect(grown.n_clusters[0]).toBe(2);
  });

  it('divides many rows into inverted lists, and uses them when rows are added', async () => {
    const [count, old] = [EXACT_ROWS + 500, EXACT_ROWS + 300];
    const many = { count, folder: join(root, 'many') };
    await storeVectors(many.folder, bunches({ count, dim: DIM, groups: 400, spread: 0.25, seed: 9 }), DIM);
    await run('before', { ...many, count: old });
    await run('after', {
      ...many,
      mode: 'extend',
      base: 'before',
    });
    const [before, after] = [readLists(at('before').lists), readLists(at('after').lists)];
    expect(after).toMatchObject({ count, trainedCount: old, probes: before.probes });
    expect(after.centres).toEqual(before.centres);
    expect([...after.rows].toSorted((a, b) => a - b)).toEqual([...after.rows.keys()]);
    expect(readGraph(at('after').graph).recall).toBeGreaterThan(0.97);
    for (const level of LINKAGE_THRESHOLDS.keys())
      expect(partition(labels('after', level).subarray(0, old))).toEqual(partition(labels('before', level)));
    expect(readLists(at('full').lists)).toMatchObject({ count: COUNT, probes: [] });
  });

  it('refuses other files, and stops on request', async () => {
    await run('other', {});
    writeFileSync(at('other').graph, 'not a graph');
    await expect(run('bad', { mode: 'recluster', base: 'other' })).rejects.toThrow('not a neighbour graph');
    await expect(run('stopped', { signal: AbortSignal.abort() })).rejects.toThrow('abort');
  });
});
