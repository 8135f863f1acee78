import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { DEFAULT_DUPLICATE_LEVEL } from '../schemas/duplicates.ts';
import { edit } from '../schemas/edit.ts';
import { ENTITY_TYPES } from '../schemas/explore.ts';
import { filters, mediaSelection } from '../schemas/media-selection.ts';
import { KEEP_RULES, queueId, REVIEW_KINDS, reviewQueue, VERDICTS } from '../schemas/review.ts';

const { duplicate_threshold, ...others } = filters;
const labels = z.array(field.name).max(100).default([]);

/** A doubt, and the filters that its entries also match. */
const queue = {
  dataset_id: field.uuid,
  kind: z.enum(REVIEW_KINDS),
  entity_type: z.enum(ENTITY_TYPES).default('IMAGES'),
  /** Minimum confidence of an issue (default: from which it counts as one). Duplicates have `duplicate_threshold`. */
  confidence_min: field.number(0, 1).optional(),
  duplicate_threshold: duplicate_threshold.transform((value) => value ?? DEFAULT_DUPLICATE_LEVEL),
  within_cut_off: field.boolean.default(false),
  ...others,
};

/** Ours: review of doubtful items, one decision each. */
export const reviewOperations = {
  list_review_entries: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/review/entries',
    section: 'own',
    summary: 'Next undecided entries of a queue, most certain first; reserves them for the caller for five minutes',
    permission: 'dataset:edit',
    body: 'json',
    longBody: true,
    input: z.object({
      ...queue,
      /** Ids of entries to leave out. */
      skip: z.array(field.uuid).max(1000).default([]),
      /** 0 only counts and reserves nothing. */
      limit: z.int().min(0).max(50).default(10),
    }),
    output: reviewQueue,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable'],
  }),
  decide_review: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/review/decisions',
    section: 'own',
    summary: 'Decide entries of a queue, and exclude, tag or label them in the same edit; can be undone',
    permission: 'dataset:edit',
    body: 'json',
    longBody: true,
    input: z.object({
      dataset_id: field.uuid,
      queue_id: queueId,
      verdict: z.enum(VERDICTS),
      media_selection: mediaSelection,
      /** The copy that stays, which gets the verdict `kept` and is not excluded. */
      keep_media_id: field.uuid.optional(),
      exclude: field.boolean.default(false),
      add_tags: z.array(field.uuid).max(100).default([]),
      remove_tags: z.array(field.uuid).max(100).default([]),
      add_labels: labels,
      remove_labels: labels,
    }),
    output: edit,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable', 'disk_full'],
  }),
  apply_review: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/review/apply',
    section: 'own',
    summary:
      'Accept the suggestions for all undecided entries of a queue in one edit, or count them first; can be undone',
    permission: 'dataset:edit',
    body: 'json',
    longBody: true,
    input: z.object({
      ...queue,
      /** For mislabels: only entries with this suggested label. */
      suggested_label: field.name.optional(),
      keep_rule: z.enum(KEEP_RULES).default('suggested'),
      /** Folders whose copies are kept before others, the first one first. */
      prefer_folders: z.array(z.string().min(1)).max(100).default([]),
      /** Only counts. */
      dry_run: field.boolean.default(false),
    }),
    output: z.object({
      queue_id: queueId,
      /** Number of entries that are decided, and of excluded or relabelled items. */
      n_entries: z.int(),
      n_changed: z.int(),
      /** Size of the files of the excluded items. */
      size_bytes: z.int(),
      /** Null for a dry run, and if there is nothing to decide. */
      edit: edit.nullable(),
    }),
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable', 'disk_full'],
  }),
};
