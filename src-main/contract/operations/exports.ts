import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { DEFAULT_THRESHOLD, EXPLORED_TYPES } from '../schemas/explore.ts';
import { EXPORT_FORMATS, exportTask } from '../schemas/export.ts';
import { filters, mediaSelection } from '../schemas/media-selection.ts';
import { fileSlice } from './media.ts';

const options = {
  export_format: z.preprocess(
    (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
    z.enum(EXPORT_FORMATS),
  ),
  include_images: field.blankAsDefault(field.boolean, false),
  /** Name of the ZIP (default: the name of the dataset). */
  file_name: field.blankAsAbsent(z.string().max(1000)),
  /** Cluster level of `cluster_id` in the export. */
  threshold: field.blankAsDefault(field.integer(0, 4), DEFAULT_THRESHOLD),
  /** Ours: percentages of train, val and test, such as `80,10,10`. Duplicates and frames of one video stay together. */
  split: field.blankAsAbsent(z.string().max(100)),
  /** Ours: seed of the split; the same seed gives the same split. */
  seed: field.blankAsDefault(field.integer(0, 2 ** 31 - 1), 0),
};

/** Interface 4.6, and further operations that clients use. */
export const exportOperations = {
  export_dataset_async: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/export_context_async',
    section: '4.6',
    summary: 'Export a dataset or its matching items as a ZIP',
    permission: 'dataset:export',
    alsoByPost: true,
    input: z.object({
      dataset_id: field.uuid,
      ...options,
      entity_type: field.blankAsDefault(z.enum(EXPLORED_TYPES), 'IMAGES'),
      cluster_id: field.blankAsAbsent(field.uuid),
      offset: field.blankAsDefault(field.integer(0, 1_000_000_000), 0),
      limit: field.blankAsAbsent(field.integer(0, 1_000_000_000)),
      ...filters,
    }),
    output: exportTask,
    errors: ['invalid_request', 'not_found', 'forbidden', 'conflict', 'unavailable'],
  }),
  export_entities_async: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/export_entities_async',
    section: '4.6',
    summary: 'Export selected items, objects, clusters or query results as a ZIP',
    permission: 'dataset:export',
    body: 'json',
    longBody: true,
    query: Object.keys(options),
    input: z.object({ dataset_id: field.uuid, ...options, media_selection: mediaSelection }),
    output: exportTask,
    errors: ['invalid_request', 'not_found', 'forbidden', 'conflict', 'unavailable'],
  }),
  get_export_status: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/export_status',
    section: '4.6',
    summary: 'Progress of an export, and the address of its file',
    permission: 'dataset:export',
    input: z.object({ dataset_id: field.uuid, export_task_id: field.uuid }),
    output: exportTask,
    errors: ['not_found', 'forbidden'],
  }),
  list_exports: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/exports',
    section: 'own',
    summary: 'Exports of a dataset, newest first',
    permission: 'dataset:export',
    input: z.object({ dataset_id: field.uuid }),
    output: z.object({ exports: z.array(exportTask) }),
    errors: ['not_found', 'forbidden'],
  }),
};

/** Files that are created for the request; browsers fetch them by address. */
export const exportFileOperations = {
  export_dataset: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/export',
    section: 'compat',
    summary: 'The metadata.json of a dataset, synchronously',
    permission: 'dataset:export',
    input: z.object({
      dataset_id: field.uuid,
      export_format: field.blankAsDefault(z.literal('json'), 'json'),
    }),
    output: fileSlice,
    reply: 'file',
    errors: ['not_found', 'forbidden', 'conflict', 'too_large', 'unavailable', 'disk_full'],
  }),
  export_media_ids: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/export_media_id',
    section: 'compat',
    summary: 'File names and media ids as CSV',
    permission: 'dataset:export',
    input: z.object({ dataset_id: field.uuid }),
    output: fileSlice,
    reply: 'file',
    errors: ['not_found', 'forbidden', 'conflict', 'unavailable', 'disk_full'],
  }),
};
