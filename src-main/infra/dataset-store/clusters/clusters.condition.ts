import { RowSet } from '../../vectors/row-set.ts';
import type { Executor } from '../explore/executor.ts';

export const clusters: Executor<'clusters'> = ({ value }, { count, rowsOfCluster }) => {
  const rows = new RowSet(count);
  for (const clusterId of value) for (const row of rowsOfCluster(clusterId)) rows.add(row);
  return rows;
};
