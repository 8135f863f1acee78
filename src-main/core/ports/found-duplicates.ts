import type { KeepReason } from '../../contract/schemas/duplicates.ts';
import type { ScoredItem } from './explored.ts';
import type { Condition } from './query.ts';

/** A page of groups of items that meet some conditions. */
export interface DuplicateQuery {
  conditions: readonly Condition[];
  threshold: number;
  offset: number;
  limit: number;
}

/** One of several copies. */
export interface CopyItem {
  item: ScoredItem;
  format: string;
  size_bytes: number;
  /** The highest with which it is the same as another of its group. */
  confidence: number;
}

export interface FoundDuplicates {
  groups: {
    cluster_id: string;
    n_items: number;
    keep_reason: KeepReason;
    /** The copy to keep first. */
    items: CopyItem[];
  }[];
  total_groups: number;
  total_items: number;
  /** Rows that are compared, of those that are indexed. */
  compared_rows: number;
  indexed_rows: number;
}
