import type { KeepReason } from '../../contract/schemas/duplicates.ts';
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

/** Looks for pairs to compare; everything goes by file, so it can run again after a crash. */
export interface CandidateRequest {
  vectors_folder: string;
  dim: number;
  /** Rows that are indexed. */
  count: number;
  /** Pairs of two rows below it were compared before. */
  from_row: number;
  /** Rows below it were looked at for a border. */
  borders_from: number;
  graph_file: string;
  /** Clusters give the order in which pairs are compared: what is alike is in memory together. */
  clusters_file: string;
  /** Undefined where everything is searched exactly. */
  lists_file: string | undefined;
  /** By row: the number of the video that a frame is of, -1 of images. Frames of one video are not compared. */
  videos: Int32Array;
  /** By row: the first row of the same bytes, which stands for all of them; -1 of a row that has no item any more. */
  originals: Int32Array;
  /** Of the rows from `borders_from` on, in files of a folder. Where there is none, it is 0 bytes long. */
  thumbnails: { folder: string; packs: Int32Array; offsets: Float64Array; bytes: Int32Array };
  candidates_out: string;
  /** Vectors without their border that are known, and where those of rows from `borders_from` on go. */
  trimmed_in: string;
  trimmed_out: string;
}

/** What a search for candidates has written. */
export type FoundCandidates = Pick<CandidateRequest, 'candidates_out' | 'trimmed_out' | 'count'>;

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
  prepareCandidates(): Promise<CandidateRequest | undefined>;
  /** Takes over the candidates that a search has written: their pairs now wait to be compared. */
  beginComparisons(found: FoundCandidates): Promise<void>;
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
    request: CandidateRequest,
    looks: ModelRef,
    options: { signal?: AbortSignal; onProgress?: (fraction: number) => void },
  ): Promise<void>;
  /** The share of each pair that agrees, 0 … 1, in their order; 0 where geometry finds no way to lay one on the other. */
  compareImages(batch: ComparisonBatch, signal?: AbortSignal): Promise<number[]>;
}
