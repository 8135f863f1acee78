import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { readFilters } from './filters.ts';

/** Maximum number of saved queries, across all datasets. */
const MAX_QUERIES = 200;

interface RecentQuery {
  dataset_id: string;
  vql: string;
}

interface RecentQueries {
  /** Latest first, without duplicates. */
  queries: readonly RecentQuery[];
  remember(datasetId: string, vql: string): void;
}

/** Recent queries, stored in this browser. */
export const useRecentQueries = create<RecentQueries>()(
  persist(
    (set) => ({
      queries: [],
      remember: (datasetId, vql) => set(({ queries }) => ({ queries: withQuery(queries, datasetId, vql) })),
    }),
    { name: 'vitrine.recent-queries' },
  ),
);

/** Exported for tests. */
export function withQuery(queries: readonly RecentQuery[], datasetId: string, vql: string): RecentQuery[] {
  const latest = queries.find(({ dataset_id }) => dataset_id === datasetId);
  const others = queries.filter(
    (one) => one.dataset_id !== datasetId || (one.vql !== vql && !(one === latest && isStepTo(one.vql, vql))),
  );
  return [{ dataset_id: datasetId, vql }, ...others].slice(0, MAX_QUERIES);
}

/** Whether a query extends another by filters: intermediate queries are replaced. */
function isStepTo(before: string, after: string): boolean {
  const [shorter, longer] = [readFilters(before), readFilters(after)].map((filters) =>
    filters.map((one) => JSON.stringify(one)),
  );
  if (shorter === undefined || longer === undefined || shorter.length >= longer.length) return false;
  return shorter.every((filter, at) => filter === longer[at]);
}
