import { z } from 'zod';
import { issueCounts } from './issues.ts';

export const ENTITY_TYPES = ['IMAGES', 'OBJECTS'] as const;
/** Types with embeddings and clusters. */
export type EntityType = (typeof ENTITY_TYPES)[number];

/** Types that Explore lists. A video appears in the cluster of its representative frame. */
export const EXPLORED_TYPES = [...ENTITY_TYPES, 'VIDEOS'] as const;
export type ExploredType = (typeof EXPLORED_TYPES)[number];

/** Clustering level of requests without a `threshold`, and of datasets without clusters. */
export const DEFAULT_THRESHOLD = 2;
/** Number of clusters per page. */
export const CLUSTERS_PER_PAGE = 100;
/** Maximum number of previews per cluster. */
export const MAX_PREVIEWS = 9;

/** An image with the covers of many clusters, row by row. The last one of a page may have fewer covers. */
export const COVER_SHEET = { columns: 5, covers: 25 } as const;
/** Sides of a cover in pixels. */
export const COVER_PX = [128, 192, 256, 384] as const;
export type CoverPx = (typeof COVER_PX)[number];

export const boundingBox = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const preview = z.object({
  type: z.enum(['IMAGE', 'VIDEO_FRAME', 'OBJECT']),
  /** For an object its own id; `image_id` is the id of its image. */
  media_id: z.string(),
  image_id: z.string(),
  media_uri: z.string(),
  image_uri: z.string(),
  original_uri: z.string(),
  media_thumb_uri: z.string(),
  video_uri: z.string().nullable(),
  /** For a frame the name of its video. */
  video_name: z.string().nullable(),
  frame_timestamp: z.number().nullable(),
  caption: z.string().nullable(),
  file_name: z.string(),
  /** For an object its box in pixels of the upright image. */
  bounding_box: boundingBox.nullable(),
  /** For an object the confidence of the model that found it, 0 … 1; null for annotated objects. */
  confidence: z.number().nullable(),
  relevance_score: z.number().nullable(),
  /** Type of the score, also if there is none. */
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
  /** Lower is a stronger match; null in queries without a score. */
  relevance_score: z.number().nullable(),
  /** Type of the score, also if there is none. */
  relevance_score_type: z.string(),
  captions: z.array(z.string()).nullable(),
  previews: z.array(preview),
  labels: z.array(z.string()).nullable(),
  user_tags: z.array(z.string()).nullable(),
  /** Name that a user gave to the cluster; null without one. */
  name: z.string().nullable(),
  /** Name from common labels or captions, or from the words of a tagger; null if there are none. */
  suggested_name: z.string().nullable(),
  /** Whether people merged several clusters into this one. */
  is_merged: z.boolean(),
});
export type Cluster = z.infer<typeof cluster>;

/**
 * Images with the covers of the listed clusters or items, in the order of the list: see `COVER_SHEET`. A cover shows an item, or up to
 * `&n=` previews of a cluster; `&px=` is its side in pixels.
 */
export const coverSheets = z.array(z.string());

export const exploreResult = z.object({
  clusters: z.array(cluster),
  cover_sheets: coverSheets,
  metadata: z.object({
    used_duckdb: z.boolean(),
    /** Total numbers of matching clusters and items. */
    total_clusters: z.int(),
    /** Number of clusters with one matching item; they come last in queries without a score. */
    total_singles: z.int(),
    total_items: z.int(),
    /** Number of clusters of the level that people hid. */
    hidden_clusters: z.int(),
    /** For semantic text search: number of items that stand out from the noise distribution, and the score of the last one. */
    cut_off: z.object({ total_items: z.int(), relevance_score: z.number().nullable() }).nullable(),
  }),
});
export type ExploreResult = z.infer<typeof exploreResult>;

/** Summary of a page of Explore, without the items. */
export const explorationMetadata = z.object({
  dataset_id: z.string(),
  dataset_name: z.string(),
  /** The whole query as VQL. */
  vql: z.string(),
  /** Total numbers, not only of this page. */
  clusters_count: z.int(),
  media_count: z.int(),
  /** Labels of matching items, most frequent first. */
  labels: z.array(z.object({ name: z.string(), count: z.int() })),
  issues: issueCounts,
  clusters: z.array(z.object({ cluster_id: z.string() })),
});
export type ExplorationMetadata = z.infer<typeof explorationMetadata>;

/** A page of a cluster's items, most typical first. */
export const clusterPage = z.object({
  cluster: cluster,
  items: z.array(preview),
  cover_sheets: coverSheets,
  total: z.int(),
  page_number: z.int(),
  page_size: z.int(),
});
export type ClusterPage = z.infer<typeof clusterPage>;
