import { z } from 'zod';

/** Interface section 2. */
export const notification = z.object({
  id: z.string(),
  user_id: z.string(),
  entity_type: z.string(),
  entity_id: z.string(),
  title: z.string(),
  message: z.string().nullable(),
  metadata: z.object({
    view_name: z.string(),
    dataset_name: z.string(),
    result_count: z.int(),
    batch_id: z.string(),
    /** False for a view that somebody shared: `message` is what they said, and there is no batch. */
    is_alert: z.boolean(),
    /** Ours: who shared the view; null for an alert. */
    shared_by: z.string().nullable(),
    /** Ours: a few of the results; thumbnails need no permission for a day or two. */
    previews: z.array(z.object({ media_id: z.string(), media_thumb_uri: z.string() })),
  }),
  dataset_id: z.string().nullable(),
  created_at: z.string(),
  read_at: z.string().nullable(),
});
export type Notification = z.infer<typeof notification>;
