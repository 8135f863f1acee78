import { z } from 'zod';
import { messageSchema } from '../messages.ts';
import { EXPLORED_TYPES } from './explore.ts';

/** Maximum number of listed trend points. */
export const MAX_POINTS = 1000;

/** Maximum length of the message of a shared view. */
export const LONGEST_MESSAGE = 250;

/** Maximum cosine distance of matches for views that compare images without a threshold. */
export const STRONG_MATCH = 0.4;

/** Interface section 2: a saved query with the results of later batches. */
export const view = z.object({
  id: z.string(),
  dataset_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  created_by: z.object({ user_id: z.string(), email: z.string(), name: z.string() }),
  filters: z.object({
    entity_type: z.enum(EXPLORED_TYPES),
    /** Cluster level, from 0 (finest) to 1. */
    threshold: z.string(),
    caption: z.string().nullable(),
    /** The query as VQL. */
    vql: z.array(z.record(z.string(), z.unknown())),
  }),
  /** Parts of `total_results`; -1 until the first batch was evaluated. */
  stats: z.object({ n_images: z.int(), n_objects: z.int(), n_video_frames: z.int() }),
  monitoring_enabled: z.boolean(),
  monitoring_started_at: z.string(),
  alerting_enabled: z.boolean(),
  /** Number of matching items in all batches, each evaluated on arrival. */
  total_results: z.int(),
  /** Time of the last batch with matches. */
  last_results: z.string().nullable(),
  /** Ours: why the last batch could not be checked; null where it was. */
  problem: z.string().nullable(),
  /** Ours: the problem as data, where there is one. */
  failure: messageSchema.optional(),
});
export type View = z.infer<typeof view>;

const trendPoint = z.object({
  timestamp: z.string(),
  batch_id: z.string(),
  count: z.int(),
  cumulative: z.int(),
});
export type TrendPoint = z.infer<typeof trendPoint>;

export const trend = z.object({
  /** The latest {@link MAX_POINTS} points, oldest first. */
  points: z.array(trendPoint),
  total_results: z.int(),
  last_results: z.string().nullable(),
});
export type Trend = z.infer<typeof trend>;
