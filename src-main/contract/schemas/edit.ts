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
] as const;
export type EditKind = (typeof EDIT_KINDS)[number];

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
  /** Names of added and of removed tags or labels; the caption; or the custom field and its value. */
  added: z.array(z.string()),
  removed: z.array(z.string()),
  /** Number of changed items and objects. */
  n_changed: z.int(),
  created_by: z.string(),
  created_at: z.string().nullable(),
});
export type Edit = z.infer<typeof edit>;
