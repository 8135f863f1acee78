import { expect, it } from 'vitest';
import { DuplicateGroups } from '../../../src-main/infra/dataset-store/duplicates/duplicate-groups.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { seededRandom } from '../../../src-main/infra/vectors/rows.ts';

const ROWS = 400;
const VERSIONS = { duplicates: 1, rows: 1 };

/** Pairs and equal rows among neighbouring rows, so that groups of up to some ten rows are connected. */
function pairsOf(seed: number) {
  const random = seededRandom(seed);
  const pairs: [number, number, number][] = [];
  for (let row = 0; row < ROWS; row += 1) {
    for (let other = row + 1; other < Math.min(ROWS, row + 4); other += 1)
      if (random() < 0.35) pairs.push([row, other, 0.9 + random() / 10]);
  }
  const equal = [Int32Array.of(3, 200, 201), Int32Array.of(50, 390)];
  const read: Int32Array[] = [];
  return {
    read,
    pairs: {
      lastRow: () => ROWS - 1,
      *listEqual() {
        yield;
        return equal;
      },
      *readColumns() {
        yield;
        return {
          a: Int32Array.from(pairs, ([a]) => a),
          b: Int32Array.from(pairs, ([, b]) => b),
          shares: Float32Array.from(pairs, ([, , share]) => share),
        };
      },
      copyFactsOf: (rows: readonly number[]) => {
        read.push(Int32Array.from(rows));
        return rows.map((row) => ({
          row,
          has_border: 0 as const,
          pixels: (row * 7919) % 101,
          format: 'jpeg',
          size_bytes: 1,
          n_details: 0,
        }));
      },
    },
  };
}

function shown(hidden: ReadonlySet<number>) {
  const rows = RowSet.where(ROWS, (row) => !hidden.has(row));
  return { rows, state: [...hidden].join(), base: 'base', videoOf: new Int32Array(ROWS).fill(-1) };
}

/** By row: the rows of its group in order, and its similarity to the first one. */
function groupsOf(groups: DuplicateGroups, hidden: ReadonlySet<number>) {
  const found = groups.ofItems(0.92, shown(hidden));
  return Array.from({ length: ROWS }, (_, row) => {
    const cluster = found.clusterOf(row);
    return cluster < 0 ? '' : `${found.rows(cluster).join()} ${found.confidenceOf(row)}`;
  });
}

it.each([1, 2, 3])('groups are the same, whatever was hidden and shown before; seed %i', (seed) => {
  const random = seededRandom(seed + 100);
  const { pairs } = pairsOf(seed);
  const following = new DuplicateGroups(pairs, VERSIONS);
  const hidden = new Set<number>();
  for (let step = 0; step < 40; step += 1) {
    for (let nth = 0; nth <= step % 3; nth += 1) {
      const row = Math.floor(random() * ROWS);
      if (!hidden.delete(row)) hidden.add(row);
    }
    expect(groupsOf(following, hidden)).toEqual(groupsOf(new DuplicateGroups(pairs, VERSIONS), hidden));
  }
});

it('hiding a row reads only the rows that are connected with it', () => {
  const { pairs, read } = pairsOf(1);
  const groups = new DuplicateGroups(pairs, VERSIONS);
  groups.ofItems(0.92, shown(new Set()));
  expect(read[0]?.length).toBeGreaterThan(ROWS / 4);
  groups.ofItems(0.92, shown(new Set([100])));
  expect(read[1]?.length).toBeLessThan(ROWS / 10);
});
