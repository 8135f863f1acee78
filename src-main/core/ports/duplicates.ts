import type { KeepReason } from '../../contract/schemas/duplicates.ts';
import type { JobInput } from './index-jobs.ts';
import type { ModelRef } from './inference.ts';
import type { ScoredItem } from './items.ts';
import type { Condition } from './query.ts';

/**
 * [Note: Near-duplicates]
 * Items that show the same, whatever happened to the file: another format or size, a crop, a turn, a mirror. Three steps find them: what is
 * near in looks (also turned, mirrored, or without its border) is a candidate, unless a glance at both rules it out; geometry says how one
 * would lie on the other; where it does, the share of the picture that agrees is the confidence. Files of equal bytes need none of it. Rows
 * never get other content, so a pair that was compared stays compared, and an addition costs its own pairs alone. Vectors of images without
 * their border are kept, so that a new image finds them as they find others, with a border of its own or without. What was compared before
 * they were kept is looked at once more.
 */

/** Where the thumbnail of an item is. */
export interface StoredThumbnail {
  row: number;
  path: string;
  offset: number;
  bytes: number;
}

/** Two items that may show the same. */
export interface CandidatePair {
  a: number;
  b: number;
  /** They are alike when one of them is mirrored. */
  is_mirrored: boolean;
  /** They are so alike as they are that one may simply be stretched over the other. */
  is_aligned: boolean;
}

/** A search for pairs to compare, as the store has prepared it. */
export interface CandidateJob {
  /** Version of the index that the job reads. */
  index_version: number;
  input: JobInput;
}

export interface ComparisonBatch {
  pairs: CandidatePair[];
  /** Of all rows of the pairs. */
  thumbnails: StoredThumbnail[];
}

/** A page of groups of duplicates whose items meet some conditions. */
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
  /** Highest confidence of a pair of this copy and another one of its group. */
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
  /** Number of the indexed rows that are compared already. */
  compared_rows: number;
  indexed_rows: number;
}

export interface DuplicateReads {
  /** Lists a page of groups of duplicates, the largest first. */
  list(query: DuplicateQuery): Promise<FoundDuplicates>;
}

/** Stores the state and the results of the comparison of images. */
export interface DuplicateWrites {
  /**
   * Prepares the next search for candidates.
   * @returns Undefined when all indexed rows are compared, with and without their borders, or when pairs still wait to be compared.
   */
  prepareCandidates(): Promise<CandidateJob | undefined>;
  /** Queues the pairs that a finished job has found. */
  beginComparisons(job: CandidateJob): Promise<void>;
  /** Lists at most `limit` waiting pairs after the first `skip`, which are being compared. @returns Undefined when none are left. */
  listComparisons(skip: number, limit: number): Promise<WaitingComparisons | undefined>;
  /** Saves the shares of the next waiting pairs, in their order. After the last pair, all indexed rows count as compared. */
  saveComparisons(shares: readonly number[]): Promise<void>;
}

export interface WaitingComparisons {
  batch: ComparisonBatch;
  /** Number of compared pairs, and of all pairs. */
  done: number;
  total: number;
}

export interface DuplicateJobs {
  findCandidates(
    job: CandidateJob,
    looks: ModelRef,
    options: { signal?: AbortSignal; onProgress?: (fraction: number) => void },
  ): Promise<void>;
  /** The share of each pair that agrees, 0 … 1, in their order; 0 where geometry finds no way to lay one on the other. */
  compareImages(batch: ComparisonBatch, signal?: AbortSignal): Promise<number[]>;
}
