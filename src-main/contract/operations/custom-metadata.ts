import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import {
  EXIF_PROPERTIES,
  FIELD_TYPES,
  MAX_ENUM_OPTIONS,
  MAX_OPTION_CHARS,
  metadataField,
  metadataStatus,
  metadataValue,
} from '../schemas/custom-metadata.ts';

const option = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_OPTION_CHARS, `must be at most ${MAX_OPTION_CHARS} characters`);
const options = z
  .array(option)
  .max(MAX_ENUM_OPTIONS, `must be at most ${MAX_ENUM_OPTIONS}`)
  .refine((all) => new Set(all).size === all.length, 'must all be different');

/** Interface 4.12. */
export const customMetadataOperations = {
  declare_custom_metadata: defineOperation({
    method: 'POST',
    path: '/datasets/{dataset_id}/custom_metadata/tasks',
    section: '4.12',
    summary: 'Declare a field; the returned task then imports its values',
    permission: 'dataset:edit',
    body: 'json',
    input: z
      .object({
        dataset_id: field.uuid,
        field_name: field.name,
        field_type: z.enum(FIELD_TYPES),
        /** For enum fields only. */
        enum_options: options.nullish(),
        is_multi: field.boolean.nullish(),
      })
      .refine(({ field_type, enum_options }) => field_type !== 'enum' || (enum_options ?? []).length > 0, {
        path: ['enum_options'],
        message: 'an enum needs at least one option',
      }),
    output: z.object({ task_id: z.string(), status: z.literal('INIT') }),
    errors: ['invalid_request', 'not_found', 'conflict', 'disk_full'],
  }),
  upload_custom_metadata: defineOperation({
    method: 'POST',
    path: '/datasets/{dataset_id}/custom_metadata/tasks/{task_id}',
    section: '4.12',
    summary:
      'Upload the values of a field: a JSON array of {media_id, value} as the body or as a file, or a column of a table',
    permission: 'dataset:edit',
    body: 'form',
    files: { file: 'one' },
    jsonFile: 'file',
    query: ['column'],
    input: z.object({
      dataset_id: field.uuid,
      task_id: field.uuid,
      file: field.uploadedFile,
      /** Ours: column with the values in a CSV or Parquet file. Rows are matched by `media_id` or `filename`. */
      column: field.blankAsDefault(z.string().max(255), 'value'),
    }),
    output: metadataStatus,
    errors: ['invalid_request', 'not_found', 'conflict', 'disk_full'],
  }),
  add_exif_metadata: defineOperation({
    method: 'POST',
    path: '/datasets/{dataset_id}/custom_metadata/exif',
    section: 'own',
    summary:
      'Declare fields for EXIF properties that the files contain, and import their values. Times without a zone are UTC',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({
      dataset_id: field.uuid,
      /** Default: all. */
      properties: z
        .array(z.enum(EXIF_PROPERTIES))
        .min(1)
        .default([...EXIF_PROPERTIES]),
    }),
    output: z.array(metadataField),
    errors: ['invalid_request', 'not_found', 'conflict', 'disk_full'],
  }),
  get_custom_metadata_status: defineOperation({
    method: 'GET',
    path: '/datasets/{dataset_id}/custom_metadata/tasks/{task_id}/status',
    section: '4.12',
    summary: 'Progress of importing the values of a field',
    input: z.object({ dataset_id: field.uuid, task_id: field.uuid }),
    output: metadataStatus,
    errors: ['not_found'],
  }),
  get_custom_metadata_schema: defineOperation({
    method: 'GET',
    path: '/datasets/{dataset_id}/custom_metadata/schema',
    section: '4.12',
    summary: 'Declared fields, in the order of declaration',
    input: z.object({ dataset_id: field.uuid }),
    output: z.array(metadataField),
    errors: ['not_found'],
  }),
  get_image_custom_metadata: defineOperation({
    method: 'GET',
    path: '/datasets/{dataset_id}/image/{image_id}/custom_metadata',
    section: '4.12',
    summary: 'Custom metadata of an image',
    input: z.object({ dataset_id: field.uuid, image_id: field.uuid }),
    output: z.array(metadataValue),
    errors: ['not_found'],
  }),
};
