import { RowSet } from '../../vectors/row-set.ts';
import type { ConditionKind } from '../explore/condition-kind.ts';

export const clusters: ConditionKind<'clusters'> = {
  rows: ({ value }, { count, rowsOfCluster }) => {
    const rows = new RowSet(count);
    for (const clusterId of value) for (const row of rowsOfCluster(clusterId)) rows.add(row);
    return rows;
  },
};
