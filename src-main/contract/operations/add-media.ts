import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';

const datasetId = field.uuid;
const count = field.blankAsAbsent(field.integer(0, Number.MAX_SAFE_INTEGER));
const text = field.blankAsAbsent(z.string().trim());

const feature = {
  feature: 'ADD_MEDIA_ENABLED' as const,
  featureOffReason: 'adding_media_off' as const,
};

/** Interface 4.3, the upload of an archive to a draft, and the batches of a dataset. */
export const addMediaOperations = {
  add_media: defineOperation({
    ...feature,
    method: 'POST',
    path: '/dataset/{dataset_id}/add_media',
    section: '4.3',
    summary: 'Add a batch of media from exactly one source: a folder or list of media, uploaded files, or an archive',
    permission: 'dataset:edit',
    body: 'form',
    files: { files: 'many', archive: 'one' },
    input: z.object({
      dataset_id: datasetId,
      s3_uri: field.blankAsAbsent(field.location),
      files: z.array(field.uploadedFile).optional(),
      archive: field.uploadedFile.optional(),
      auto_reindex: field.blankAsAbsent(field.boolean).transform((value) => value ?? false),
      assume_role: text,
      batch_n_videos: count,
      batch_n_images: count,
      batch_n_objects: count,
      use_spot: field.blankAsAbsent(field.boolean),
    }),
    output: z.undefined(),
    reply: 'empty',
    status: 202,
    errors: [
      'invalid_request',
      'forbidden',
      'not_found',
      'feature_disabled',
      'conflict',
      'storage_failed',
      'disk_full',
    ],
  }),
  process_add_media: defineOperation({
    ...feature,
    method: 'GET',
    path: '/process/add_media',
    section: '4.3',
    summary: 'Add media from an absolute local folder or list (self-hosted pipeline)',
    permission: 'dataset:edit',
    input: z.object({ dataset_id: datasetId, path: field.requiredLocation }),
    output: z.object({ status: z.literal('success'), message: z.string(), dataset_id: z.string() }),
    status: 202,
    errors: ['invalid_request', 'forbidden', 'not_found', 'feature_disabled', 'conflict'],
  }),
  reindex: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/reindex',
    section: '4.3',
    summary: 'Cluster the whole dataset again; only from PARTIAL INDEX',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId }),
    output: z.undefined(),
    reply: 'empty',
    status: 202,
    errors: ['not_found', 'conflict'],
  }),
  upload_archive: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/upload',
    section: 'compat',
    summary: 'Upload an archive to a draft dataset and index it',
    permission: 'dataset:edit',
    body: 'form',
    files: { file: 'one' },
    creation: true,
    input: z.object({ dataset_id: datasetId, labels_from: field.labelsFrom, file: field.uploadedFile }),
    output: z.object({
      status: z.literal('success'),
      message: z.string(),
      dataset_id: z.string(),
      task_id: z.string(),
    }),
    errors: ['invalid_request', 'not_found', 'conflict', 'too_large', 'disk_full'],
  }),
  list_batches: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/batches',
    section: 'own',
    summary: 'Batches of a dataset, newest first',
    input: z.object({ dataset_id: datasetId }),
    output: z.object({
      batches: z.array(
        z.object({
          batch_id: z.string(),
          kind: z.enum(['folder', 'upload', 'archive', 'objects', 'manifest', 'watch']),
          created_at: z.string(),
          n_files: z.int(),
          n_done: z.int(),
          n_failed: z.int(),
        }),
      ),
    }),
    errors: ['not_found'],
  }),
};
