import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GraphFile, writeGraph } from '../../../src-main/infra/vectors/built-in/graph-file.ts';
import { neighborMemory, SharedNeighbors } from '../../../src-main/infra/vectors/built-in/shared-neighbors.ts';
import { emptyGraph } from '../../../src-main/infra/vectors/neighbors/neighbor-graph.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const COUNT = 1000;

/** A graph whose neighbours of row r are shift + 24 r and up. */
async function openGraph(shift: number): Promise<GraphFile> {
  const graph = emptyGraph(COUNT);
  for (let at = 0; at < graph.rows.length; at += 1) graph.rows[at] = shift + at;
  const path = join(await temporaryFolder(), 'graph.knn');
  writeGraph(path, graph);
  const file = GraphFile.open(path, COUNT);
  if (!file) throw new Error('no graph');
  return file;
}

const firstOf = (neighbors: SharedNeighbors, row: number) => {
  const target = new Int32Array(neighbors.k);
  neighbors.read(row, target);
  return [target[0], target[23]];
};

it('reads the same from memory as from the file, also what another thread has loaded', async () => {
  const [memory, file] = [neighborMemory(), await openGraph(7)];
  const one = new SharedNeighbors(memory, file, { version: 3, count: COUNT });
  const expected = (row: number) => [7 + 24 * row, 7 + 24 * row + 23];
  expect(firstOf(one, 999)).toEqual(expected(999));
  expect(one.load(600)).toBe(600);
  expect(firstOf(one, 999)).toEqual(expected(999));
  expect(one.load(600)).toBe(400);
  expect(one.load(600)).toBe(0);
  const other = new SharedNeighbors(memory, await openGraph(7), { version: 3, count: COUNT });
  expect(other.load(600)).toBe(0);
  other.close();
  for (const row of [0, 599, 600, 999]) expect(firstOf(other, row)).toEqual(expected(row));
});

it('does not mix graphs: a newer one takes the memory, and an older one is read from its file', async () => {
  const memory = neighborMemory();
  const older = new SharedNeighbors(memory, await openGraph(0), { version: 1, count: COUNT });
  const newer = new SharedNeighbors(memory, await openGraph(1), { version: 2, count: COUNT });
  older.load(COUNT);
  expect([firstOf(older, 5)[0], firstOf(newer, 5)[0]]).toEqual([120, 121]);
  newer.load(10);
  expect([firstOf(older, 5)[0], firstOf(newer, 5)[0], firstOf(newer, 50)[0]]).toEqual([120, 121, 1201]);
  expect(older.load(COUNT)).toBe(0);
});
