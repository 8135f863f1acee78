import { z } from 'zod';
import { issueCounts } from './issues.ts';

export const ENTITY_TYPES = ['IMAGES', 'OBJECTS'] as const;
/** What has vectors and clusters of its own. */
export type EntityType = (typeof ENTITY_TYPES)[number];

/** What Explore lists: videos stand where the frame is that represents each. */
export const EXPLORED_TYPES = [...ENTITY_TYPES, 'VIDEOS'] as const;
export type ExploredType = (typeof EXPLORED_TYPES)[number];

/** Clusters on one page of Explore. */
export const CLUSTERS_PER_PAGE = 100;
/** Previews that a cluster carries at most. */
export const MAX_PREVIEWS = 9;

export const boundingBox = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const preview = z.object({
  type: z.enum(['IMAGE', 'VIDEO_FRAME', 'OBJECT']),
  /** Of an object: its own id; `image_id` is then the image's. */
  media_id: z.string(),
  image_id: z.string(),
  media_uri: z.string(),
  image_uri: z.string(),
  original_uri: z.string(),
  media_thumb_uri: z.string(),
  video_uri: z.string().nullable(),
  /** Of a frame: the name of its video. */
  video_name: z.string().nullable(),
  frame_timestamp: z.number().nullable(),
  caption: z.string().nullable(),
  file_name: z.string(),
  /** Of an object: its place in pixels of the upright image. */
  bounding_box: boundingBox.nullable(),
  relevance_score: z.number().nullable(),
  /** What a score is, also where there is none. */
  relevance_score_type: z.string(),
  width: z.int(),
  height: z.int(),
  labels: z.array(z.string()).nullable(),
  user_tags: z.array(z.string()).nullable(),
});
export type Preview = z.infer<typeof preview>;

export const cluster = z.object({
  cluster_id: z.string(),
  type: z.enum(EXPLORED_TYPES),
  n_images: z.int(),
  n_objects: z.int(),
  n_videos: z.int(),
  n_frames: z.int(),
  size_display_value: z.string(),
  formed_by: z.string(),
  similarity_threshold: z.string(),
  /** Lower is a stronger match; null when nothing was asked to be scored. */
  relevance_score: z.number().nullable(),
  /** What a score is, also where there is none. */
  relevance_score_type: z.string(),
  captions: z.array(z.string()).nullable(),
  previews: z.array(preview),
  /** Its previews as one image, at most as many as `&n=` says; null where it has but one. */
  cover_uri: z.string().nullable(),
  labels: z.array(z.string()).nullable(),
  user_tags: z.array(z.string()).nullable(),
  /** What it may be called, by its labels or captions; null where these have nothing in common. */
  suggested_name: z.string().nullable(),
});
export type Cluster = z.infer<typeof cluster>;

export const exploreResult = z.object({
  clusters: z.array(cluster),
  metadata: z.object({
    used_duckdb: z.boolean(),
    /** All clusters and items that match, beyond this page. */
    total_clusters: z.int(),
    /** Clusters with but one item that matches; unless something is compared, they come last. */
    total_singles: z.int(),
    total_items: z.int(),
    /** Of a text that is compared by meaning: how many items stand out of what fits by chance, and the score of the last; what comes after is noise. */
    cut_off: z.object({ total_items: z.int(), relevance_score: z.number().nullable() }).nullable(),
  }),
});
export type ExploreResult = z.infer<typeof exploreResult>;

/** What a page of Explore holds, without the items. */
export const explorationMetadata = z.object({
  dataset_id: z.string(),
  dataset_name: z.string(),
  /** What was asked, all parameters together, as VQL. */
  vql: z.string(),
  /** In all, beyond this page. */
  clusters_count: z.int(),
  media_count: z.int(),
  /** Of what fits, the most frequent first. */
  labels: z.array(z.object({ name: z.string(), count: z.int() })),
  issues: issueCounts,
  clusters: z.array(z.object({ cluster_id: z.string() })),
});
export type ExplorationMetadata = z.infer<typeof explorationMetadata>;

/** One cluster's items, a page at a time, the most typical first. */
export const clusterPage = z.object({
  cluster: cluster,
  items: z.array(preview),
  total: z.int(),
  page_number: z.int(),
  page_size: z.int(),
});
export type ClusterPage = z.infer<typeof clusterPage>;
