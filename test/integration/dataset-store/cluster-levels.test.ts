import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ClusterLevels } from '../../../src-main/infra/dataset-store/clusters/cluster-levels.ts';
import { writeClusters } from '../../../src-main/infra/vectors/clustering/cluster-file.ts';
import { makeLevel } from '../../../src-main/infra/vectors/clustering/cluster-level.ts';
import { RowSet } from '../../../src-main/infra/vectors/row-set.ts';
import { groupByList } from '../../../src-main/infra/vectors/rows.ts';
import { seeded } from '../../support/images.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROWS = 200;

it('finds the clusters of a row and their sizes without reading whole levels', async () => {
  const random = seeded(5);
  const rows = Int32Array.from({ length: ROWS }, (_, row) => row);
  const level = (nGroups: number) => {
    const groupOf = rows.map(() => Math.floor(random() * nGroups));
    return makeLevel(groupByList(groupOf, rows, nGroups), ROWS);
  };
  const file = join(await temporaryFolder(), 'levels.clusters');
  writeClusters(file, [level(90), level(30), level(3)]);
  const alive = RowSet.where(ROWS, () => random() < 0.8);

  const levels = new ClusterLevels(file, alive);
  const keys = Array.from(rows, (row) => levels.keysOf(row));
  const { sizes } = levels;
  const read = [0, 1, 2].map((at) => levels.at(at));
  expect(keys).toEqual(
    Array.from(rows, (row) =>
      read.flatMap((clusters, at) => {
        const cluster = clusters?.clusterOf(row) ?? -1;
        return cluster < 0 ? [] : [{ level: at, first_row: clusters?.firstRow(cluster) }];
      }),
    ),
  );
  expect(sizes).toEqual(read.map((of) => ({ nItems: of?.nItems, nClusters: of?.nClusters, nSingles: of?.nSingles })));
  expect(keys.filter((of) => of.length === 3)).toHaveLength(alive.count);
  expect(levels.at(3)).toBeUndefined();
});
