import { z } from 'zod';
import * as field from '../fields.ts';
import { messageSchema } from '../messages.ts';
import { defineOperation } from '../operation.ts';
import { mediaSelection } from '../schemas/media-selection.ts';
import { encoderList, enrichmentContext, enrichmentModel, enrichmentPreview } from '../schemas/model.ts';

const datasetId = field.uuid;
/** Keys are enrichment types, values model ids; the service rejects unknown ones by name (400). */
const enrichmentModels = z.record(z.string(), z.string());

/** Interface 4.4. */
export const enrichmentOperations = {
  list_models: defineOperation({
    method: 'GET',
    path: '/enrichment/{dataset_id}/list_models',
    section: '4.4',
    summary: 'Models that can enrich a dataset',
    input: z.object({ dataset_id: datasetId }),
    output: z.array(enrichmentModel),
    errors: ['not_found'],
  }),
  get_enrichment_context: defineOperation({
    method: 'GET',
    path: '/enrichment/{dataset_id}/context',
    section: '4.4',
    summary: 'Models that a dataset is enriched with',
    input: z.object({ dataset_id: datasetId }),
    output: enrichmentContext,
    errors: ['not_found'],
  }),
  get_enrichment_status: defineOperation({
    method: 'GET',
    path: '/enrichment/{dataset_id}/{enrichment_context_id}/status',
    section: 'compat',
    summary: 'Progress of an enrichment, by the id of the copy or of its source',
    input: z.object({ dataset_id: datasetId, enrichment_context_id: field.uuid }),
    output: z.object({ status: z.string(), progress: z.int().min(0).max(100) }),
    errors: ['not_found'],
  }),
  preview_enrichment: defineOperation({
    method: 'POST',
    path: '/enrichment/{dataset_id}/preview',
    section: 'own',
    summary: 'Apply models to a few images of the dataset without storing results',
    body: 'json',
    input: z.object({
      dataset_id: datasetId,
      enrichment_models: enrichmentModels,
      n_items: z.int().min(1).max(24).default(8),
    }),
    output: enrichmentPreview,
    errors: ['invalid_request', 'not_found', 'conflict', 'unavailable'],
  }),
  list_enrichment_failures: defineOperation({
    method: 'GET',
    path: '/enrichment/{dataset_id}/failures',
    section: 'own',
    summary: 'Items that a model failed on, with reasons',
    input: z.object({
      dataset_id: datasetId,
      page_number: field.integer(0, 1_000_000_000).default(0),
      page_size: field.integer(1, 500).default(100),
    }),
    output: z.object({
      failures: z.array(
        z.object({
          media_id: z.string(),
          file_path: z.string(),
          model_id: z.string(),
          reason: z.string(),
          problem: messageSchema,
        }),
      ),
      total: z.int(),
      page_number: z.int(),
      page_size: z.int(),
    }),
    errors: ['not_found'],
  }),
  list_encoders: defineOperation({
    method: 'GET',
    path: '/encoders',
    section: 'own',
    summary: 'Encoders for clustering and search, better ones first',
    permission: 'datasets:list',
    input: z.object({}),
    output: encoderList,
  }),
  add_meaning: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/meaning',
    section: 'own',
    summary: 'Add an encoder to a dataset without one, in place; the dataset is READ ONLY meanwhile',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, encoder: field.encoder }),
    output: z.object({ task_id: z.string(), encoder: z.string() }),
    errors: ['invalid_request', 'not_found', 'conflict', 'disk_full'],
  }),
  import_results: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/results',
    section: 'own',
    summary:
      'Import embeddings, labels, boxes or captions that were computed elsewhere; the dataset is READ ONLY meanwhile',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({
      dataset_id: datasetId,
      /** Folder of the server, or s3:// with a prefix, that holds manifest.json and the files that it lists. */
      location: field.requiredLocation,
      /** ARN of the role to assume for object storage. */
      assume_role: z.string().max(2048).nullish(),
    }),
    output: z.object({ task_id: z.string() }),
    status: 202,
    errors: ['invalid_request', 'forbidden', 'not_found', 'conflict', 'storage_failed', 'disk_full'],
  }),
  compute_on_ray: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/ray',
    section: 'own',
    summary: 'Apply a model to all or selected items on a Ray cluster and import the results',
    permission: 'dataset:edit',
    body: 'json',
    longBody: true,
    input: z.object({
      dataset_id: datasetId,
      /** Folder that this server and the cluster reach by the same path, or s3:// with a prefix. */
      location: field.requiredLocation,
      /** An installed encoder of images, classifier or object detector. */
      model_id: z.string().min(1).max(100),
      /** The items (default: all). */
      media_selection: mediaSelection.optional(),
      use_gpu: z.boolean().default(false),
      /** ARN of the role to assume for object storage here; the cluster has its own credentials. */
      assume_role: z.string().max(2048).nullish(),
    }),
    output: z.object({ task_id: z.string() }),
    status: 202,
    errors: ['invalid_request', 'forbidden', 'not_found', 'conflict', 'unavailable'],
  }),
  enrich_dataset: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/enrich_dataset',
    section: '4.4',
    summary: 'Apply models to a copy of a dataset',
    permission: 'dataset:edit',
    body: 'json',
    input: z.object({ dataset_id: datasetId, enrichment_models: enrichmentModels }),
    output: z.object({ dataset_id: z.string() }),
    errors: ['invalid_request', 'not_found', 'conflict', 'disk_full'],
  }),
};
