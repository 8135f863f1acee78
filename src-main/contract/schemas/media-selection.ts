import { z } from 'zod';
import * as field from '../fields.ts';
import { EXPLORED_TYPES } from './explore.ts';

/** Maximum number of ids in one list, limited by the size of a request. Larger selections use a query. */
const MAX_IDS = 25_000;

const ids = z.array(field.uuid).max(MAX_IDS);
const filter = field.blankAsAbsent(z.string());
/** JSON text in a query string, or an array in a JSON body. */
const jsonArray = z.preprocess(
  (value) => (value === '' ? undefined : Array.isArray(value) ? JSON.stringify(value) : value),
  z.string().optional(),
);

/** Filter parameters of Explore (4.5). Clients send empty values for unset ones. */
export const filters = {
  anchor_media_id: field.blankAsAbsent(field.uuid),
  anchor_type: field.blankAsAbsent(z.enum(['UPLOAD', 'MEDIA'])),
  caption: filter,
  image_caption: filter,
  textual_similarity_threshold: field.blankAsAbsent(field.number(0, 1)),
  labels: jsonArray,
  tags: jsonArray,
  vql: jsonArray,
  duplicate_threshold: field.blankAsAbsent(field.number(0, 1)),
};

const query = z.object({ entity_type: z.enum(EXPLORED_TYPES).default('IMAGES'), ...filters });

/**
 * Selected items and objects (interface 4.6): by ids or by cluster; ours: by a query of Explore. A video selects all of its frames.
 */
export const mediaSelection = z
  .array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('media'), payload: z.object({ media_ids: ids }) }),
      z.object({
        type: z.literal('cluster'),
        payload: z.object({
          cluster_id: field.uuid,
          cluster_filters: query.prefault({}),
          exclude_media_ids: ids.default([]),
        }),
      }),
      z.object({ type: z.literal('query'), payload: query.extend({ exclude_media_ids: ids.default([]) }) }),
    ]),
  )
  .min(1)
  .max(1000);
export type MediaSelection = z.infer<typeof mediaSelection>;
