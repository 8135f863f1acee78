import { z } from 'zod';

/** What an edit was. */
export const EDIT_KINDS = ['TAGS', 'TAG_DELETION', 'LABELS', 'EXCLUSION', 'INCLUSION'] as const;
export type EditKind = (typeof EDIT_KINDS)[number];

export const tag = z.object({
  /** The same twice: `id` is what `tags` and VQL take. */
  id: z.string(),
  tag_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  n_images: z.int(),
  n_objects: z.int(),
});
export type Tag = z.infer<typeof tag>;

export const edit = z.object({
  /** Null where nothing was to be changed. */
  edit_id: z.int().nullable(),
  kind: z.enum(EDIT_KINDS),
  /** Names of tags or labels that were put on, and that were taken off. */
  added: z.array(z.string()),
  removed: z.array(z.string()),
  /** Items and objects of which something has changed. */
  n_changed: z.int(),
  created_by: z.string(),
  created_at: z.string().nullable(),
});
export type Edit = z.infer<typeof edit>;
