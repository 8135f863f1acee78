import { type Executor, whereItem } from '../explore/executor.ts';

/** Objects match by the image that they are on. */
export const duplicates: Executor<'duplicates'> = ({ value }, facts) => {
  const groups = facts.duplicatesAt(value);
  return whereItem(facts, (row) => groups.clusterOf(row) >= 0);
};
