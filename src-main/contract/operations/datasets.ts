import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { annotationProblem, dataset, fileError } from '../schemas/dataset.ts';
import { issueCounts } from '../schemas/issues.ts';

const datasetId = field.uuid;

const created = z.object({
  status: z.literal('success'),
  message: z.string(),
  id: z.string(),
  dataset_id: z.string(),
  name: z.string(),
});

/** Interface 4.2, and further operations that clients of datasets use. */
export const datasetOperations = {
  create_dataset: defineOperation({
    method: 'POST',
    path: '/dataset',
    section: '4.2',
    summary:
      'Create a dataset from a folder: object storage, a local path or a file:// URL. An empty path waits for an upload.',
    creation: true,
    permission: 'datasets:create',
    body: 'form',
    input: z
      .object({
        dataset_name: field.name,
        /** Empty, or missing when `uploaded_filename` is given, if the media are uploaded afterwards. */
        bucket_path: field.location.optional(),
        uploaded_filename: field.blankAsAbsent(z.string()),
        encoder: field.encoder,
        labels_from: field.labelsFrom,
        workspace_id: field.workspaceOfNew,
      })
      .refine(({ bucket_path, uploaded_filename }) => bucket_path !== undefined || uploaded_filename !== undefined, {
        path: ['bucket_path'],
        message: 'is required',
      }),
    output: created,
    errors: ['invalid_request', 'forbidden', 'not_found', 'storage_failed', 'disk_full'],
  }),
  list_datasets: defineOperation({
    method: 'GET',
    path: '/datasets',
    section: '4.2',
    summary: 'All datasets that the caller may see, newest first',
    permission: 'datasets:list',
    input: z.object({}),
    output: z.array(dataset),
  }),
  get_dataset: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}',
    section: '4.2',
    summary: 'One dataset: its status, progress and counts',
    input: z.object({ dataset_id: datasetId }),
    output: dataset,
    errors: ['not_found'],
  }),
  get_creation_status: defineOperation({
    method: 'GET',
    path: '/datasets/{dataset_id}/creation-status',
    section: '4.2',
    summary: 'Status and progress while a dataset is being created',
    input: z.object({ dataset_id: datasetId }),
    output: z.object({ status: z.string(), progress: z.int() }),
    errors: ['not_found'],
  }),
  update_dataset: defineOperation({
    method: 'PATCH',
    path: '/dataset/{dataset_id}',
    section: 'own',
    summary: 'Rename or describe a dataset',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({
      dataset_id: datasetId,
      display_name: field.name.optional(),
      description: z.string().trim().max(2000, 'must be at most 2000 characters').optional(),
    }),
    output: dataset,
    errors: ['not_found'],
  }),
  delete_dataset: defineOperation({
    method: 'DELETE',
    path: '/dataset/{dataset_id}',
    section: 'compat',
    summary: 'Delete a dataset and free its disk space; files that are referenced in place are never touched',
    permission: 'dataset:own',
    feature: 'DELETE_DATASET_ENABLED',
    featureOffReason: 'deletion_off',
    input: z.object({ dataset_id: datasetId }),
    output: z.object({ deleted: z.literal(true), id: z.string(), dataset_id: z.string() }),
    errors: ['not_found', 'conflict'],
  }),
  get_dataset_stats: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/stats',
    section: 'compat',
    summary: 'Counts of one dataset',
    input: z.object({ dataset_id: datasetId }),
    output: z.object({
      dataset_id: z.string(),
      n_images: z.int(),
      n_videos: z.int(),
      n_objects: z.int(),
      n_frames: z.int(),
      n_file_errors: z.int(),
      /** Number of excluded items. */
      n_excluded: z.int(),
      /** Number of missing files of watched folders. */
      n_missing: z.int(),
      /** Number of items that are not clustered yet. */
      n_ungrouped: z.int(),
      n_labels: z.int(),
      n_captions: z.int(),
      n_annotation_problems: z.int(),
      /** Counts for images and frames. */
      issues: issueCounts,
    }),
    errors: ['not_found'],
  }),
  list_file_errors: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/file_errors',
    section: 'own',
    summary: 'Files that could not be used, each with its reason, in order of path',
    input: z.object({
      dataset_id: datasetId,
      page_number: field.integer(0, 1_000_000_000).default(0),
      page_size: field.integer(1, 500).default(100),
      kind: fileError.shape.kind.optional(),
      /** Restricts the list, `by_kind` and `total` to one batch. */
      batch_id: field.blankAsAbsent(field.uuid),
    }),
    output: z.object({
      file_errors: z.array(fileError),
      total: z.int(),
      by_kind: z.record(z.string(), z.int()),
      page_number: z.int(),
      page_size: z.int(),
    }),
    errors: ['not_found'],
  }),
  list_annotation_problems: defineOperation({
    method: 'GET',
    path: '/dataset/{dataset_id}/annotation_problems',
    section: 'own',
    summary: 'Annotations that could not be used, each with its reason, in order of file and line',
    input: z.object({
      dataset_id: datasetId,
      page_number: field.integer(0, 1_000_000_000).default(0),
      page_size: field.integer(1, 500).default(100),
    }),
    output: z.object({
      annotation_problems: z.array(annotationProblem),
      total: z.int(),
      page_number: z.int(),
      page_size: z.int(),
    }),
    errors: ['not_found'],
  }),
  list_sample_datasets: defineOperation({
    method: 'GET',
    path: '/datasets/sample_data',
    section: 'compat',
    summary: 'Sample datasets',
    permission: 'datasets:list',
    input: z.object({}),
    output: z.array(dataset),
  }),
  create_sample_dataset: defineOperation({
    method: 'POST',
    path: '/datasets/sample_data',
    section: 'own',
    summary: 'Draw a small sample with labels, boxes and predictions, and index it as a dataset',
    creation: true,
    permission: 'datasets:create',
    body: 'json',
    input: z.object({
      /** Followed by a number if the caller has a dataset of that name. */
      dataset_name: field.name,
      workspace_id: field.workspaceOfNew,
    }),
    output: z.object({ dataset_id: z.string(), name: z.string() }),
    status: 202,
    errors: ['invalid_request', 'forbidden', 'not_found', 'disk_full'],
  }),
};
