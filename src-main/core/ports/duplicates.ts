import type { KeepReason } from '../../contract/schemas/duplicates.ts';
import type { JobInput } from './index-jobs.ts';
import type { ModelRef } from './inference.ts';
import type { ScoredItem } from './items.ts';
import type { Condition } from './query.ts';
import type { StoreMethods } from './store-methods.ts';

/**
 * [Note: Near-duplicates]
 * Items with the same picture in another form: another file format or size, cropped, rotated or mirrored. Detection has three steps:
 * 1. Items with near appearance embeddings (also when rotated, mirrored or without border) are candidate pairs, unless a fast prefilter
 * rejects the pair.
 * 2. Geometric verification estimates the transform that maps one image onto the other.
 * 3. The share of the picture that agrees under this transform is the confidence.
 *
 * Files with equal bytes need no comparison. The content of a row never changes, so each pair is compared only once and an addition costs
 * only its own pairs. Vectors of images without their border are stored too, so that new images match stored ones with and without border.
 * Images that were compared before these vectors were stored are compared once more.
 */

/** File and byte range of an item's thumbnail. */
export interface StoredThumbnail {
  row: number;
  path: string;
  offset: number;
  bytes: number;
}

/** Rows of two items that may be near-duplicates. */
export interface CandidatePair {
  a: number;
  b: number;
  /** Whether the items match if one of them is mirrored. */
  is_mirrored: boolean;
  /** Whether the items are so similar that scaling alone may map one onto the other. */
  is_aligned: boolean;
}

/** A search for candidate pairs, prepared by the store. */
export interface CandidateJob {
  /** Version of the index that the job reads. */
  index_version: number;
  /** Number of rows of the index. */
  count: number;
  input: JobInput;
}

export interface ComparisonBatch {
  pairs: CandidatePair[];
  /** Thumbnails of all rows in `pairs`. */
  thumbnails: StoredThumbnail[];
  /** File of what is known of the images by their rows. Without it, everything is computed again. */
  features_file?: string;
}

/** Requests a page of groups of duplicates whose items meet the conditions. */
export interface DuplicateQuery {
  conditions: readonly Condition[];
  threshold: number;
  offset: number;
  limit: number;
}

/** An item of a group of duplicates. */
export interface CopyItem {
  item: ScoredItem;
  format: string;
  size_bytes: number;
  /** Similarity to the copy to keep; 1 for that copy itself. */
  confidence: number;
}

export interface FoundDuplicates {
  groups: {
    cluster_id: string;
    n_items: number;
    keep_reason: KeepReason;
    /** The item to keep comes first. */
    items: CopyItem[];
  }[];
  total_groups: number;
  total_items: number;
  /** Number of indexed rows that have been compared. */
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
  /** Queues the candidate pairs that a finished job has found. */
  beginComparisons(job: CandidateJob): Promise<void>;
  /**
   * Lists up to `limit` queued pairs.
   * @param skip Number of queued pairs to skip, because they are being compared.
   * @returns Undefined if none are left.
   */
  listComparisons(skip: number, limit: number): Promise<WaitingComparisons | undefined>;
  /** Saves the confidences of the next queued pairs, in their order. After the last pair, all indexed rows count as compared. */
  saveComparisons(shares: readonly number[]): Promise<void>;
}

export const duplicateMethods: StoreMethods<DuplicateReads, DuplicateWrites> = {
  list: 'read',
  prepareCandidates: 'write',
  beginComparisons: 'write',
  listComparisons: 'write',
  saveComparisons: 'write',
};

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
  /** Returns the share of the picture that agrees for each pair, 0 … 1, in the order of the pairs; 0 if no geometric transform is found. */
  compareImages(batch: ComparisonBatch, signal?: AbortSignal): Promise<number[]>;
}
