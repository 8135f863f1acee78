import { z } from 'zod';
import { messageSchema } from '../messages.ts';

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
    /** False for a shared view: `message` is from the user who shared it, and there is no batch. */
    is_alert: z.boolean(),
    /** Ours: user who shared the view; null for an alert. */
    shared_by: z.string().nullable(),
    /** Ours: title and message as data; null where a person wrote the message, and for views. */
    sentences: z.object({ title: messageSchema, message: messageSchema }).nullable(),
    /** Ours: some of the results; thumbnail addresses are signed for one to two days. */
    previews: z.array(z.object({ media_id: z.string(), media_thumb_uri: z.string() })),
  }),
  dataset_id: z.string().nullable(),
  created_at: z.string(),
  read_at: z.string().nullable(),
});
export type Notification = z.infer<typeof notification>;
