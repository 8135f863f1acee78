import type { IssueCounts, IssueName } from '../../contract/schemas/issues.ts';
import type { IssueLimits } from './issue-limits.ts';
import type { QueryPlan } from './query.ts';
import type { StoreMethods } from './store-methods.ts';

/** An issue of an item or object. */
export interface FoundIssue {
  issue: IssueName;
  confidence: number;
  /** For a mislabel, the label of the neighbours. */
  instead: string | null;
  /** Whether it depends on neighbours that were compared without semantic embeddings. */
  by_appearance: boolean;
}

/** The issues of an item and the own issues of its objects, by descending confidence. */
export interface FoundIssues {
  item: FoundIssue[];
  /** Keyed by object id; objects without issues are omitted. */
  objects: ReadonlyMap<string, FoundIssue[]>;
}

/** Reads issues: [Note: Issues]. */
export interface IssueReads {
  /** Counts the matches of a plan by issue. */
  count(plan: QueryPlan, limits: IssueLimits): Promise<IssueCounts>;
  /** Lists the issues of an item and of its objects; empty for an item that is unknown or not indexed. */
  listOfItem(mediaId: string, limits: IssueLimits): Promise<FoundIssues>;
}

export const issueMethods: StoreMethods<IssueReads> = {
  count: 'read',
  listOfItem: 'read',
};
