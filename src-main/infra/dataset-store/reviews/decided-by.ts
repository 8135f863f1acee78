import type { Verdict } from '../../../contract/schemas/review.ts';
import type { QueueCounts } from '../../../core/ports/reviews.ts';
import type { Facts } from '../explore/row-facts.ts';

/** Returns how many living rows each user decided in a queue, most first. @param only Counts only this verdict. */
export function decidedBy(
  { entity_type, edits, index, count }: Facts,
  queueId: string,
  only?: Verdict,
): QueueCounts['done'] {
  const alive = index.alive(entity_type);
  const counts = new Map<string, number>();
  for (const { user, verdict, rows } of edits.verdicts(entity_type, queueId, count)) {
    if (only !== undefined && verdict !== only) continue;
    counts.set(user, (counts.get(user) ?? 0) + rows.countIn(alive));
  }
  return Array.from(counts, ([user, n]) => ({ user, count: n }))
    .filter((one) => one.count > 0)
    .sort((a, b) => b.count - a.count);
}
