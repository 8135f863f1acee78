import { z } from 'zod';
import { preview } from './explore.ts';

/**
 * Confidences at which groups of duplicates are told: 1 is equal bytes; below, the share of the image that agrees. At 0.95 a group is the
 * same image; at 0.8 it may be another shot of the scene.
 */
export const DUPLICATE_LEVELS = [1, 0.95, 0.9, 0.85, 0.8] as const;
export const DEFAULT_DUPLICATE_LEVEL = 0.95;

/** Why a copy is the one to keep: what it has more of than the others; the first one where all are equal. */
export const KEEP_REASONS = ['border', 'resolution', 'format', 'size', 'metadata', 'first'] as const;
export type KeepReason = (typeof KEEP_REASONS)[number];

/** Items of a group that are told at most; its cluster has all. */
export const MOST_IN_GROUP = 50;

export const duplicateItem = preview.extend({
  /** The highest confidence with which it is the same as another of the group. */
  confidence: z.number(),
  file_path: z.string(),
  format: z.string(),
  size_bytes: z.int(),
});
export type DuplicateItem = z.infer<typeof duplicateItem>;

export const duplicateGroup = z.object({
  /** Names the group wherever a cluster can be named, beside the same `duplicates` filter. */
  cluster_id: z.string(),
  n_items: z.int(),
  /** The copy to keep first. */
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
  /** Items that are compared, of those that are indexed. */
  compared_items: z.int(),
  indexed_items: z.int(),
  page_number: z.int(),
  page_size: z.int(),
});
export type DuplicateList = z.infer<typeof duplicateList>;
