import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexRequest } from '../../../src-main/core/ports/local-jobs.ts';
import { EXACT_ROWS } from '../../../src-main/infra/vectors/built-in/build-lists.ts';
import { readLists } from '../../../src-main/infra/vectors/built-in/lists-file.ts';
import { VectorSegments } from '../../../src-main/infra/vectors/built-in/vector-segments.ts';
import { readClusters } from '../../../src-main/infra/vectors/clustering/cluster-file.ts';
import { runIndexJob } from '../../../src-main/infra/vectors/index-job.ts';
import { readGraph } from '../../../src-main/infra/vectors/neighbors/neighbor-graph.ts';
import { bunches, partition } from '../../unit/vectors/make-vectors.ts';

const [DIM, COUNT, OLD] = [24, 900, 860];
const LINKAGE_THRESHOLDS = [0.95, 0.85, 0.7, 0.5, 0.3];

describe('the index job', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-index-job-'));
  const vectors = bunches({ count: COUNT, dim: DIM, groups: 30, spread: 0.25, seed: 8 });
  const at = (name: string) => join(folder, name);
  const run = (name: string, more: Partial<IndexRequest>) =>
    runIndexJob(
      {
        mode: 'full',
        vectors_folder: at('vectors'),
        dim: DIM,
        count: COUNT,
        graph_out: at(`${name}.knn`),
        clusters_out: at(`${name}.clusters`),
        uniqueness_out: at(`${name}.uniqueness`),
        lists_out: at(`${name}.lists`),
        linkage_thresholds: LINKAGE_THRESHOLDS,
        threads: 1,
        ...more,
      },
      {},
    );
  const labels = (name: string, level: number) =>
    readClusters(at(`${name}.clusters`))[level]?.labels ?? new Int32Array();
  const bytes = (name: string, kind: string) => readFileSync(at(`${name}.${kind}`));
  const scores = (name: string) => new Float32Array(new Uint8Array(bytes(name, 'uniqueness')).buffer);

  beforeAll(async () => {
    const segments = VectorSegments.open(at('vectors'), { encoder_id: 'bunches', dim: DIM });
    segments.writeRows(0, vectors);
    segments.close();
    await run('full', {});
    await run('old', { count: OLD });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('writes the same bytes on a second run', async () => {
    await run('again', {});
    for (const kind of ['knn', 'clusters', 'uniqueness']) expect(bytes('again', kind)).toEqual(bytes('full', kind));
  });

  it('extends what there is: the same neighbours as from scratch, the old clusters kept', async () => {
    const summary = await run('more', { mode: 'extend', graph_in: at('old.knn'), clusters_in: at('old.clusters') });
    expect(summary.recall_estimate).toBe(1);
    expect(readGraph(at('more.knn')).rows).toEqual(readGraph(at('full.knn')).rows);
    for (const level of LINKAGE_THRESHOLDS.keys())
      expect(partition(labels('more', level).subarray(0, OLD))).toEqual(partition(labels('old', level)));
    expect(partition(labels('more', 2))).toEqual(partition(labels('full', 2)));
    expect([...scores('more')].map((score) => score.toFixed(3))).toEqual(
      [...scores('full')].map((score) => score.toFixed(3)),
    );
  });

  it('reclusters an extended graph to what a full run gives', async () => {
    await run('more', { mode: 'extend', graph_in: at('old.knn'), clusters_in: at('old.clusters') });
    await run('anew', { mode: 'recluster', graph_in: at('more.knn') });
    for (const level of LINKAGE_THRESHOLDS.keys())
      expect(partition(labels('anew', level))).toEqual(partition(labels('full', level)));
  });

  it('searches what a graph lacks before it reclusters', async () => {
    await run('lacking', { mode: 'recluster', graph_in: at('old.knn') });
    expect(readGraph(at('lacking.knn')).count).toBe(COUNT);
    expect(partition(labels('lacking', 2))).toEqual(partition(labels('full', 2)));
  });

  it.each(['full', 'extend', 'recluster'] as const)('leaves dead rows out of everything (%s)', async (mode) => {
    const deadRows = [0, 30, 31, 870];
    await run('dead', { mode, graph_in: at('old.knn'), clusters_in: at('old.clusters'), dead_rows: deadRows });
    const graph = readGraph(at('dead.knn'));
    for (let row = 0; row < COUNT; row += 1) {
      if (deadRows.includes(row)) continue;
      const list = graph.rows.subarray(row * graph.k, (row + 1) * graph.k);
      expect(deadRows.some((dead) => list.includes(dead))).toBe(false);
    }
    for (const level of LINKAGE_THRESHOLDS.keys()) {
      expect(deadRows.map((row) => labels('dead', level)[row])).toEqual([-1, -1, -1, -1]);
      expect(readClusters(at('dead.clusters'))[level]?.members).toHaveLength(COUNT - deadRows.length);
    }
    expect(deadRows.map((row) => scores('dead')[row])).toEqual([0, 0, 0, 0]);
  });

  it.each(['full', 'extend', 'recluster'] as const)(
    'gives rows without a vector clusters of their own, and no neighbours (%s)',
    async (mode) => {
      const blank = [5, 6, 875];
      const segments = VectorSegments.open(at(`blank-${mode}`), { encoder_id: 'bunches', dim: DIM });
      segments.writeRows(
        0,
        vectors.map((value, place) => (blank.includes(Math.floor(place / DIM)) ? 0 : value)),
      );
      segments.close();
      const some = { vectors_folder: at(`blank-${mode}`) };
      await run('blank-old', { ...some, count: OLD });
      await run('blank', { ...some, mode, graph_in: at('blank-old.knn'), clusters_in: at('blank-old.clusters') });
      const { k, rows } = readGraph(at('blank.knn'));
      for (let row = 0; row < COUNT; row += 1) {
        const list = rows.subarray(row * k, (row + 1) * k);
        expect(blank.some((one) => list.includes(one))).toBe(false);
        expect(list[0] === -1).toBe(blank.includes(row));
      }
      for (const level of readClusters(at('blank.clusters'))) {
        expect(level.members.toSorted()).toEqual(Int32Array.from({ length: COUNT }, (_, row) => row));
        for (const row of blank) expect(level.labels.filter((label) => label === level.labels[row])).toHaveLength(1);
      }
      // What was lost is back: a reindex finds its neighbours again.
      await run('found', { mode: 'recluster', graph_in: at('blank.knn') });
      expect(partition(labels('found', 2))).toEqual(partition(labels('full', 2)));
    },
  );

  it('takes rows back that were dead', async () => {
    await run('dead', { dead_rows: [7, 8] });
    await run('back', { mode: 'extend', graph_in: at('dead.knn'), clusters_in: at('dead.clusters') });
    expect(partition(labels('back', 2))).toEqual(partition(labels('full', 2)));
  });

  it('goes on with nothing at all, and with a single row', async () => {
    expect((await run('none', { count: 0 })).n_clusters).toEqual([0, 0, 0, 0, 0]);
    expect((await run('one', { count: 1 })).n_clusters).toEqual([1, 1, 1, 1, 1]);
    expect(scores('one')[0]).toBe(1);
    const grown = await run('two', {
      mode: 'extend',
      count: 2,
      graph_in: at('none.knn'),
      clusters_in: at('none.clusters'),
    });
    expect(grown.n_clusters[0]).toBe(2);
  });

  it('parts many rows into inverted lists, and goes on with them when rows are added', async () => {
    const [count, old] = [EXACT_ROWS + 500, EXACT_ROWS + 300];
    const many = { count, vectors_folder: at('many') };
    const segments = VectorSegments.open(at('many'), { encoder_id: 'many', dim: DIM });
    segments.writeRows(0, bunches({ count, dim: DIM, groups: 400, spread: 0.25, seed: 9 }));
    segments.close();
    await run('before', { ...many, count: old });
    await run('after', {
      ...many,
      mode: 'extend',
      graph_in: at('before.knn'),
      clusters_in: at('before.clusters'),
      lists_in: at('before.lists'),
    });
    const [before, after] = [readLists(at('before.lists')), readLists(at('after.lists'))];
    expect(after).toMatchObject({ count, trainedCount: old, probes: before.probes });
    expect(after.centres).toEqual(before.centres);
    expect([...after.rows].toSorted((a, b) => a - b)).toEqual([...after.rows.keys()]);
    expect(readGraph(at('after.knn')).recall).toBeGreaterThan(0.97);
    for (const level of LINKAGE_THRESHOLDS.keys())
      expect(partition(labels('after', level).subarray(0, old))).toEqual(partition(labels('before', level)));
    expect(readLists(at('full.lists'))).toMatchObject({ count: COUNT, probes: [] });
  });

  it('refuses files that are something else, and stops when it is told to', async () => {
    writeFileSync(at('other.knn'), 'not a graph');
    await expect(run('bad', { mode: 'recluster', graph_in: at('other.knn') })).rejects.toThrow('not a neighbour graph');
    const request = {
      mode: 'full' as const,
      vectors_folder: at('vectors'),
      dim: DIM,
      count: COUNT,
      linkage_thresholds: LINKAGE_THRESHOLDS,
      threads: 1,
    };
    const files = {
      graph_out: at('s.knn'),
      clusters_out: at('s.clusters'),
      uniqueness_out: at('s.uniqueness'),
      lists_out: at('s.lists'),
    };
    const stopped = runIndexJob({ ...request, ...files }, { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toThrow('abort');
  });
});
