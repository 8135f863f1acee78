import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { folderPreview } from '../schemas/folder-preview.ts';

const datasetId = field.uuid;
const transactionId = field.integer(1, Number.MAX_SAFE_INTEGER);

/** Interface 4.2: datasets from uploaded files, and the self-hosted pipeline's creation from a local path. */
export const ingestionOperations = {
  new_dataset: defineOperation({
    method: 'GET',
    path: '/ingestion/new_dataset',
    section: '4.2',
    summary: 'Create a draft dataset for uploads',
    creation: true,
    permission: 'datasets:create',
    input: z.object({ dataset_name: field.name, encoder: field.encoder, workspace_id: field.workspaceOfNew }),
    output: z.object({ dataset_id: z.string() }),
    errors: ['invalid_request', 'forbidden', 'not_found', 'disk_full'],
  }),
  open_transaction: defineOperation({
    method: 'GET',
    path: '/ingestion/{dataset_id}/data_files',
    section: '4.2',
    summary: 'Open an upload transaction',
    permission: 'dataset:edit',
    input: z.object({ dataset_id: datasetId }),
    output: z.object({ trans_id: z.int() }),
    errors: ['not_found', 'conflict'],
  }),
  upload_files: defineOperation({
    method: 'POST',
    path: '/ingestion/{dataset_id}/data_files/{transaction_id}',
    section: '4.2',
    summary: 'Upload files into a transaction; the form field is `files`, repeated, about 50 per request',
    permission: 'dataset:edit',
    body: 'form',
    files: { files: 'many' },
    input: z.object({
      dataset_id: datasetId,
      transaction_id: transactionId,
      files: z.array(field.uploadedFile).min(1, 'at least one file is needed; name the form field "files"'),
    }),
    output: z.object({
      trans_id: z.int(),
      accepted: z.int(),
      refused: z.array(z.object({ file_name: z.string(), reason: z.string() })),
    }),
    status: 202,
    errors: ['invalid_request', 'not_found', 'conflict', 'too_large', 'disk_full'],
  }),
  process_files: defineOperation({
    method: 'POST',
    path: '/ingestion/{dataset_id}/process_files/{transaction_id}',
    section: '4.2',
    summary: 'Close a transaction and index the uploaded files',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, transaction_id: transactionId, labels_from: field.labelsFrom }),
    output: z.object({ dataset_id: z.string(), task_id: z.string() }),
    status: 202,
    errors: ['invalid_request', 'not_found', 'conflict'],
  }),
  process_path: defineOperation({
    method: 'GET',
    path: '/process',
    section: 'compat',
    summary: 'Create a dataset from an absolute local folder (self-hosted pipeline)',
    creation: true,
    permission: 'datasets:create',
    input: z.object({ path: field.requiredLocation, name: field.name, workspace_id: field.workspaceOfNew }),
    output: z.object({
      status: z.literal('success'),
      message: z.string(),
      dataset_id: z.string(),
      name: z.string(),
    }),
    errors: ['invalid_request', 'forbidden', 'not_found', 'disk_full'],
  }),
  preview_folder: defineOperation({
    method: 'GET',
    path: '/local_folders/preview',
    section: 'own',
    summary:
      'Media, annotations, problems and folders that name classes in a local folder, before a dataset is created from it',
    permission: 'datasets:create',
    input: z.object({ path: field.requiredLocation }),
    output: folderPreview,
    errors: ['invalid_request', 'forbidden', 'storage_failed'],
  }),
  preview_upload: defineOperation({
    method: 'POST',
    path: '/ingestion/preview',
    section: 'own',
    summary:
      'Media, annotations, problems and folders that name classes in files, before they are uploaded: one archive, or annotation files with the paths of all files (a JSON list)',
    permission: 'datasets:create',
    body: 'form',
    files: { files: 'many' },
    input: z.object({ paths: field.pathList, files: z.array(field.uploadedFile).default([]) }),
    output: folderPreview,
    errors: ['invalid_request', 'forbidden', 'too_large', 'disk_full', 'storage_failed'],
  }),
  list_folder: defineOperation({
    method: 'GET',
    path: '/local_folders',
    section: 'own',
    summary: 'Subfolders of a local folder, for choosing one without a system dialog (default: the home folder)',
    permission: 'datasets:create',
    input: z.object({ path: field.location.optional() }),
    output: z.object({
      path: z.string(),
      parent: z.string().nullable(),
      folders: z.array(z.object({ name: z.string(), path: z.string() })),
      /** Number of media files directly inside. */
      n_media: z.int(),
    }),
    errors: ['invalid_request', 'forbidden'],
  }),
};
