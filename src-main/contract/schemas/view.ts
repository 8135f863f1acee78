import { z } from 'zod';
import { EXPLORED_TYPES } from './explore.ts';

/** Points of a trend that are listed: the latest. */
export const MOST_POINTS = 1000;

/** Of what is said with a view that is shared. */
export const LONGEST_MESSAGE = 250;

/** Everything is more or less like an image; where a view does not say how much, what is at most this far off counts. */
export const STRONG_MATCH = 0.4;

/** Interface section 2: a query that is kept, and what batches brought that fits it. */
export const view = z.object({
  id: z.string(),
  dataset_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  created_by: z.object({ user_id: z.string(), email: z.string(), name: z.string() }),
  filters: z.object({
    entity_type: z.enum(EXPLORED_TYPES),
    /** How finely what it finds is grouped: 0 finest … 1. */
    threshold: z.string(),
    caption: z.string().nullable(),
    /** What Explore takes as `vql`, as it was understood. */
    vql: z.array(z.record(z.string(), z.unknown())),
  }),
  /** What `total_results` is made of; -1 until the first batch was checked. */
  stats: z.object({ n_images: z.int(), n_objects: z.int(), n_video_frames: z.int() }),
  monitoring_enabled: z.boolean(),
  monitoring_started_at: z.string(),
  alerting_enabled: z.boolean(),
  /** Items of all batches that fitted when these came. */
  total_results: z.int(),
  /** When the last batch came that had any. */
  last_results: z.string().nullable(),
  /** Ours: why the last batch could not be checked; null where it was. */
  problem: z.string().nullable(),
});
export type View = z.infer<typeof view>;

export const trendPoint = z.object({
  timestamp: z.string(),
  batch_id: z.string(),
  count: z.int(),
  cumulative: z.int(),
});
export type TrendPoint = z.infer<typeof trendPoint>;

export const trend = z.object({
  /** The oldest first, at most the latest {@link MOST_POINTS}. */
  points: z.array(trendPoint),
  total_results: z.int(),
  last_results: z.string().nullable(),
});
export type Trend = z.infer<typeof trend>;
