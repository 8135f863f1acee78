import { RowSet } from '../../vectors/row-set.ts';
import type { ConditionKind, ConditionKinds } from '../explore/condition-kind.ts';
import type { Facts } from '../explore/row-facts.ts';

const clusters: ConditionKind<'clusters'> = {
  stateOf: (_condition, { versions }) => String(versions.clusterEdits),
  rows: ({ value }, facts) => {
    const rows = new RowSet(facts.count);
    for (const clusterId of value) for (const row of rowsOfCluster(clusterId, facts)) rows.add(row);
    return rows;
  },
};

export const clusterConditions = { clusters } satisfies ConditionKinds;

/** Returns the rows of a cluster; none if the cluster does not exist. */
function rowsOfCluster(clusterId: string, { clusterIds, entity_type, index }: Facts): Int32Array {
  const key = clusterIds.decode(clusterId);
  const clusters = key?.entity_type === entity_type ? index.clusters(entity_type, key.level) : undefined;
  const cluster = key && clusters ? clusters.clusterOf(key.first_row) : -1;
  return clusters && cluster >= 0 && clusters.firstRow(cluster) === key?.first_row
    ? clusters.rows(cluster)
    : new Int32Array();
}
