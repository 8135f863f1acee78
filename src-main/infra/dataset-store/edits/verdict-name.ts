import type { Verdict } from '../../../contract/schemas/review.ts';

/** A decision of a user in a queue of the review; a set of rows of the kind `verdict` has one. */
export interface VerdictName {
  queue_id: string;
  verdict: Verdict;
  user: string;
}

/** Returns the name of the set of rows with a verdict. */
export function printVerdict({ queue_id, verdict, user }: VerdictName): string {
  return `${queue_id}\n${verdict}\n${user}`;
}

export function parseVerdict(name: string): VerdictName {
  const [queueId = '', verdict = '', user = ''] = name.split('\n');
  return { queue_id: queueId, verdict: verdict as Verdict, user };
}
