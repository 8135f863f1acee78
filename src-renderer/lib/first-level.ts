/** Level while nothing is clustered. */
const MIDDLE = 2;

/** The finest level at which fewer than half of the items are single. The coarsest if there is none. */
export function firstLevel(levels: readonly { n_items: number; n_singles: number }[]): number {
  if ((levels[0]?.n_items ?? 0) === 0) return MIDDLE;
  const first = levels.findIndex(({ n_items, n_singles }) => n_singles < n_items / 2);
  return first < 0 ? levels.length - 1 : first;
}
