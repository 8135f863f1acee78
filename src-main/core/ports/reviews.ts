import type { IssueName } from '../../contract/schemas/issues.ts';
import type { KeepRule } from '../../contract/schemas/review.ts';
import type { FoundDuplicates } from './duplicates.ts';
import type { SelectedRows } from './edits.ts';
import type { IssueLimits } from './issue-limits.ts';
import type { ScoredItem } from './items.ts';
import type { Condition, QueryPlan } from './query.ts';
import type { StoreMethods } from './store-methods.ts';

/**
 * [Note: Review]
 * A queue is a query without the items that have a verdict in this queue. Verdicts are sets of rows like other edits ([Note: Sets of
 * rows]), so a decision and what it changes are one edit with one undo, and snapshots contain them. A group of duplicates is decided when
 * all of its shown items have a verdict; a new copy brings the group back.
 */
export interface ItemQueue {
  queue_id: string;
  /** Matches the entries that are not decided. */
  plan: QueryPlan;
  /** Measures the doubt and orders the entries, highest confidence first; without it they are in the order of the plan. */
  issue: { name: Exclude<IssueName, 'duplicates'>; limits: IssueLimits } | null;
}

export interface GroupQueue {
  queue_id: string;
  conditions: readonly Condition[];
  threshold: number;
}

export interface QueuePage {
  /** Ids of entries to leave out. Unknown ids are ignored. */
  skip: readonly string[];
  limit: number;
}

export interface QueueCounts {
  /** Number of undecided entries, skipped ones included. */
  left: number;
  /** Number of decided entries by user. */
  done: { user: string; count: number }[];
}

export interface DoubtfulItem {
  item: ScoredItem;
  confidence: number | null;
  /** For a mislabel, the label of the neighbours. */
  instead: string | null;
  by_appearance: boolean;
}

/** What accepting all suggestions of a queue changes. */
export interface ItemSuggestions {
  rows: SelectedRows;
  /** Rows by the label to add, and the labels to remove from them. */
  relabelled: { add: string; remove: string[]; rows: SelectedRows }[];
  n_entries: number;
  size_bytes: number;
}

export interface GroupSuggestions {
  kept: SelectedRows;
  excluded: SelectedRows;
  n_entries: number;
  n_excluded: number;
  size_bytes: number;
}

/** Reads queues of review: [Note: Review]. */
export interface ReviewReads {
  listItems(queue: ItemQueue, page: QueuePage): Promise<QueueCounts & { entries: DoubtfulItem[] }>;
  /** Lists undecided groups of duplicates, the largest first. */
  listGroups(queue: GroupQueue, page: QueuePage): Promise<QueueCounts & { entries: FoundDuplicates['groups'] }>;
  /** @param suggestedLabel For mislabels: only entries with this suggested label. */
  suggestForItems(queue: ItemQueue, suggestedLabel: string | undefined): Promise<ItemSuggestions>;
  /**
   * Chooses the copy to keep of each undecided group. Copies that agree with it less than the threshold are not excluded.
   * @param folders Folders whose copies are kept before others, the first one first.
   */
  suggestForGroups(queue: GroupQueue, rule: KeepRule, folders: readonly string[]): Promise<GroupSuggestions>;
}

export const reviewMethods: StoreMethods<ReviewReads> = {
  listItems: 'read',
  listGroups: 'read',
  suggestForItems: 'read',
  suggestForGroups: 'read',
};
