import { z } from 'zod';
import { DATASET_ROLES } from '../permissions.ts';
import { EXPLORED_TYPES } from './explore.ts';

export const MAX_COMMENT_CHARS = 2000;
/** Maximum number of characters of a note on an assignment. */
export const MAX_NOTE_CHARS = 500;

/** Somebody who can see a dataset. */
export const person = z.object({ email: z.string(), name: z.string(), role: z.enum(DATASET_ROLES) });
export type Person = z.infer<typeof person>;

/** A comment on an item of a dataset. */
export const comment = z.object({
  comment_id: z.string(),
  media_id: z.string(),
  /** May mention people by their address, as in `@ann@example.org`. */
  text: z.string(),
  author_email: z.string(),
  author_name: z.string(),
  /** Whether the caller wrote it. */
  is_own: z.boolean(),
  created_at: z.string(),
  edited_at: z.string().nullable(),
});
export type Comment = z.infer<typeof comment>;

/** Items that somebody is asked to look through: the matches of a query. */
export const assignment = z.object({
  assignment_id: z.string(),
  dataset_id: z.string(),
  dataset_name: z.string(),
  title: z.string(),
  note: z.string(),
  entity_type: z.enum(EXPLORED_TYPES),
  vql: z.string(),
  assignee_email: z.string(),
  assignee_name: z.string(),
  assigned_by: z.string(),
  /** Whether it is assigned to the caller. */
  is_own: z.boolean(),
  created_at: z.string(),
  done_at: z.string().nullable(),
});
export type Assignment = z.infer<typeof assignment>;
