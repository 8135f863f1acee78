import { expect, it } from 'vitest';
import { buildNeighborGraph } from '../../../src-main/infra/vectors/built-in/build-graph.ts';
import { agglomerate } from '../../../src-main/infra/vectors/clustering/agglomerate.ts';
import { defaultLevel } from '../../../src-main/infra/vectors/clustering/default-level.ts';
import { emptyGraph } from '../../../src-main/infra/vectors/neighbors/neighbor-graph.ts';
import { HeldVectors } from '../../../src-main/infra/vectors/row-vectors.ts';
import { rowsWhere } from '../../../src-main/infra/vectors/rows.ts';
import { bunches, partition } from './make-vectors.ts';

const DIM = 32;
const GROUPS = 12;
const COUNT = 360;

async function levelsOf(linkageThresholds: readonly number[], dead: readonly number[] = [], groups = GROUPS) {
  const vectors = new HeldVectors(bunches({ count: COUNT, dim: DIM, groups, spread: 0.4, seed: 3 }), DIM);
  const graph = await buildNeighborGraph({ vectors, count: COUNT, dead: new Set(dead), threads: 1 });
  const rows = rowsWhere(COUNT, (row) => !dead.includes(row));
  const history = await agglomerate({ graph, vectors, rows, linkageThresholds, threads: 1 });
  return { graph, levels: history.levels(vectors) };
}

const plantedOf = (groups: number) => partition(Array.from({ length: COUNT }, (_, row) => row % groups));
const planted = plantedOf(GROUPS);

it.each([
  [[0.98, 0.93, 0.7, 0.2, 0.1], 2],
  [[0.93, 0.7, 0.2, 0.1, 0], 1],
  [[0.99, 0.98, 0.95, 0.93, 0.7], 4],
])('chooses the level of the planted groups among %j, at any position', async (thresholds, expected) => {
  const { graph, levels } = await levelsOf(thresholds);
  expect(partition(levels[expected]?.labels ?? [])).toEqual(planted);
  expect(defaultLevel(graph, levels)).toBe(expected);
});

it.each([3, 5])('chooses the level of planted groups of %i', async (size) => {
  const { graph, levels } = await levelsOf([0.98, 0.95, 0.7, 0.45, 0.35], [], COUNT / size);
  expect(partition(levels[2]?.labels ?? [])).toEqual(plantedOf(COUNT / size));
  expect(defaultLevel(graph, levels)).toBe(2);
});

it('chooses the same level when rows were deleted', async () => {
  const { graph, levels } = await levelsOf([0.98, 0.93, 0.7, 0.2, 0.1], [0, 1, 2, 30, 31, 200]);
  expect(defaultLevel(graph, levels)).toBe(2);
});

it('chooses the finest of equal levels, also without neighbours or rows', () => {
  const single = { labels: Int32Array.of(0), offsets: Int32Array.of(0, 1), members: Int32Array.of(0) };
  expect(defaultLevel(emptyGraph(1), [single, single])).toBe(0);
  const none = { labels: new Int32Array(), offsets: Int32Array.of(0), members: new Int32Array() };
  expect(defaultLevel(emptyGraph(0), [none, none])).toBe(0);
});
