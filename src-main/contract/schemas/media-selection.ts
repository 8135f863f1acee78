import { z } from 'zod';
import * as field from '../fields.ts';
import { EXPLORED_TYPES } from './explore.ts';

/** Ids in one list: as many as a request has room for. More are named by a query. */
const MAX_IDS = 25_000;

const ids = z.array(field.uuid).max(MAX_IDS);
const filter = field.blankAsAbsent(z.string());
/** JSON as text, as a query string has it; in a JSON body, the array itself. */
const jsonArray = z.preprocess(
  (value) => (value === '' ? undefined : Array.isArray(value) ? JSON.stringify(value) : value),
  z.string().optional(),
);

/** Parameters of Explore that filter (4.5); clients send them empty when they are not set. */
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
 * Items and objects, as interface 4.6 names them: by their ids, or by a cluster. Ours: by a query, as Explore takes it. A video stands for
 * all of its frames.
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
