import { z } from 'zod';

/** Kinds of edits. */
const EDIT_KINDS = [
  'TAGS',
  'TAG_DELETION',
  'LABELS',
  'EXCLUSION',
  'INCLUSION',
  'REVIEW',
  'CAPTION',
  'CUSTOM_METADATA',
  'CLUSTER_NAME',
  'CLUSTERS_HIDDEN',
  'CLUSTERS_SHOWN',
  'CLUSTERS_MERGED',
  'CLUSTERS_SPLIT',
] as const;
export type EditKind = (typeof EDIT_KINDS)[number];

/** What can be done with clusters. `merge`: at least two of one level become one. */
export const CLUSTER_ACTIONS = ['hide', 'show', 'merge', 'split'] as const;
export type ClusterAction = (typeof CLUSTER_ACTIONS)[number];

export const tag = z.object({
  /** `id` and `tag_id` are equal; `tags` and VQL take either. */
  id: z.string(),
  tag_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  n_images: z.int(),
  n_objects: z.int(),
});
export type Tag = z.infer<typeof tag>;

export const edit = z.object({
  /** Null if the edit changed nothing. */
  edit_id: z.int().nullable(),
  kind: z.enum(EDIT_KINDS),
  /** Names of added and of removed tags, labels or clusters; the caption; or the custom field and its value. */
  added: z.array(z.string()),
  removed: z.array(z.string()),
  /** Number of changed items and objects, or clusters. */
  n_changed: z.int(),
  created_by: z.string(),
  created_at: z.string().nullable(),
});
export type Edit = z.infer<typeof edit>;
