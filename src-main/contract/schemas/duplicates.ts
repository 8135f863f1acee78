import { z } from 'zod';
import { preview } from './explore.ts';

/**
 * Confidence levels of duplicate groups: 1 means equal bytes; below, the share of the image that matches. At 0.95 a group shows the same
 * image; at 0.8 it may contain another shot of the scene.
 */
export const DUPLICATE_LEVELS = [1, 0.95, 0.9, 0.85, 0.8] as const;
export const DEFAULT_DUPLICATE_LEVEL = 0.95;

/**
 * Why a copy is suggested to be kept: the property in which it exceeds the others; `first` if all are equal, `common` if only this copy
 * agrees with all others.
 */
const KEEP_REASONS = ['border', 'resolution', 'format', 'size', 'metadata', 'first', 'common'] as const;
export type KeepReason = (typeof KEEP_REASONS)[number];

/** Maximum number of items listed per group; its cluster lists all. */
export const MAX_IN_GROUP = 50;

const duplicateItem = preview.extend({
  /**
   * Similarity to the copy to keep, 0 … 1: 1 for that copy and for files of equal bytes. For copies that were not compared with it, a lower
   * bound through one other copy.
   */
  confidence: z.number(),
  file_path: z.string(),
  format: z.string(),
  size_bytes: z.int(),
});
export type DuplicateItem = z.infer<typeof duplicateItem>;

export const duplicateGroup = z.object({
  /** Cluster id of the group, valid with the same `duplicates` filter. */
  cluster_id: z.string(),
  n_items: z.int(),
  /** The copy to keep comes first. */
  items: z.array(duplicateItem),
  keep_media_id: z.string(),
  keep_reason: z.enum(KEEP_REASONS),
});
export type DuplicateGroup = z.infer<typeof duplicateGroup>;

export const duplicateList = z.object({
  groups: z.array(duplicateGroup),
  total_groups: z.int(),
  total_items: z.int(),
  threshold: z.number(),
  /** Number of compared items, and of indexed items. */
  compared_items: z.int(),
  indexed_items: z.int(),
  page_number: z.int(),
  page_size: z.int(),
});
export type DuplicateList = z.infer<typeof duplicateList>;
