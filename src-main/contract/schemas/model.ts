import { z } from 'zod';
import { enrichmentType } from './model-definition.ts';

/** Interface section 2, Enrichment model, and what a person needs to choose one. */
export const enrichmentModel = z.object({
  id: z.string(),
  name: z.string(),
  type: enrichmentType,
  /** `Active` when it can be applied now. */
  status: z.enum(['Active', 'Coming Soon']),
  vendor: z.string(),
  description: z.string(),
  dependencies: z.array(enrichmentType).nullable(),
  package_id: z.string(),
  licence: z.string(),
  installed: z.boolean(),
  /** Of the files that it comes with; null when nobody knows. */
  size_bytes: z.int().nullable(),
  /** Why it cannot be applied to this dataset now; null when it can. */
  unavailable_reason: z.string().nullable(),
});
export type EnrichmentModel = z.infer<typeof enrichmentModel>;

/** Files of one or several models, as they are downloaded, imported and removed together. */
export const modelPackage = z.object({
  package_id: z.string(),
  name: z.string(),
  vendor: z.string(),
  licence: z.string(),
  licence_url: z.string().nullable(),
  page_url: z.string().nullable(),
  /** `own`: brought by the person. */
  origin: z.enum(['catalogue', 'own']),
  state: z.enum(['not_installed', 'downloading', 'installed', 'failed']),
  /** False where no address is known: it can only be imported. */
  can_download: z.boolean(),
  /** Of all files, as far as a source states it or they are here; null when nobody knows. */
  size_bytes: z.int().nullable(),
  /** Of a download that runs or was cut off; 0 otherwise. */
  received_bytes: z.int(),
  bytes_per_s: z.number().nullable(),
  /** Why the last download failed. */
  failure_reason: z.string().nullable(),
  installed_at: z.string().nullable(),
  models: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: enrichmentType,
      status: z.enum(['Active', 'Coming Soon']),
      description: z.string(),
      memory_bytes: z.int().nullable(),
      /** Set for taggers by label list. */
      labels_editable: z.boolean(),
      /** Execution provider of the last run, and how fast it was. */
      device: z.string().nullable(),
      items_per_s: z.number().nullable(),
    }),
  ),
});
export type ModelPackage = z.infer<typeof modelPackage>;

/** An execution provider of ONNX Runtime, tried with a tiny graph. */
export const device = z.object({ provider: z.string(), works: z.boolean(), reason: z.string().nullable() });
export type Device = z.infer<typeof device>;

export const modelSettings = z.object({
  /** Address of the model hub; files are at `<hub>/<repository>/resolve/<revision>/<path>`. */
  hub_url: z.string(),
  /** Tried in turn after the hub. */
  mirrors: z.array(z.string()),
  never_download: z.boolean(),
});
export type ModelSettings = z.infer<typeof modelSettings>;

/** Encoders for the meaning of datasets, and the one that a new dataset gets; null: none. */
export const encoderList = z.object({
  default_encoder: z.string().nullable(),
  encoders: z.array(
    z.object({
      model_id: z.string(),
      name: z.string(),
      description: z.string(),
      package_id: z.string(),
      licence: z.string(),
      installed: z.boolean(),
      /** Whether its package can be fetched from the Models page. */
      can_download: z.boolean(),
      /** Of its package; 0 where nobody states it. */
      size_bytes: z.int(),
      /** Whether images are found by an English description. */
      finds_texts: z.boolean(),
      /** Images a second of one process, measured lately; null before it has run. */
      items_per_s: z.number().nullable(),
    }),
  ),
});
export type EncoderList = z.infer<typeof encoderList>;

/** Interface section 2, Enrichment context. */
export const enrichmentContext = z.object({
  enrichment_context_id: z.string(),
  context_id: z.string(),
  /** `NEW` nothing applied yet, then `IN_PROGRESS`, `COMPLETED` or `FAILED`. */
  status: z.enum(['NEW', 'IN_PROGRESS', 'COMPLETED', 'FAILED']),
  dataset_enrichment_models: z.object({ enrichment_models: z.partialRecord(enrichmentType, z.string()) }),
  /** Results that are missing: a model failed on an item. */
  n_failed: z.int(),
  /** The encoder that the dataset gets in place as soon as it is on this computer. */
  wanted_encoder: z.string().nullable(),
});
export type EnrichmentContext = z.infer<typeof enrichmentContext>;

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** What one model says of one image of the sample. */
const previewOutput = z.object({
  model_id: z.string(),
  type: enrichmentType,
  labels: z.array(z.object({ label: z.string(), confidence: z.number() })),
  /** Boxes in pixels of the upright image. */
  objects: z.array(
    z.object({ label: z.string(), confidence: z.number(), bounding_box: box, caption: z.string().nullable() }),
  ),
  caption: z.string().nullable(),
  /** Of an encoder: the other images of the sample, the most similar first. */
  similar_media_ids: z.array(z.string()),
  /** Why it says nothing. */
  failure_reason: z.string().nullable(),
});

export const enrichmentPreview = z.object({
  items: z.array(
    z.object({
      media_id: z.string(),
      file_name: z.string(),
      media_uri: z.string(),
      media_thumb_uri: z.string(),
      width: z.int(),
      height: z.int(),
      outputs: z.array(previewOutput),
    }),
  ),
});
export type EnrichmentPreview = z.infer<typeof enrichmentPreview>;
