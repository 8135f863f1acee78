import { z } from 'zod';
import { messageSchema } from '../messages.ts';
import { enrichmentType } from './model-definition.ts';

/** Interface section 2, Enrichment model, with data for choosing one. */
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
  /** Size of its files; null if unknown. */
  size_bytes: z.int().nullable(),
  /** Why it cannot be applied to this dataset now; null if it can. */
  unavailable_reason: z.string().nullable(),
  /** Ours: the reason as data. */
  unavailable: messageSchema.nullable(),
  /** Ours: whether it can be applied on the Ray cluster of the setting RAY_ADDRESS. */
  runs_on_ray: z.boolean(),
});
export type EnrichmentModel = z.infer<typeof enrichmentModel>;

/** A package: files of one or several models that are downloaded, imported and removed together. */
export const modelPackage = z.object({
  package_id: z.string(),
  name: z.string(),
  vendor: z.string(),
  licence: z.string(),
  licence_url: z.string().nullable(),
  page_url: z.string().nullable(),
  /** `own`: imported by the user. */
  origin: z.enum(['catalogue', 'own']),
  state: z.enum(['not_installed', 'downloading', 'installed', 'failed']),
  /** False without a known address: the package can only be imported. */
  can_download: z.boolean(),
  /** Whether a new installation offers this package for its first dataset. */
  recommended: z.boolean(),
  /** Whether the files come with this installation, so that a download needs no network. */
  bundled: z.boolean(),
  /** Size of all files, stated by a source or measured; null if unknown. */
  size_bytes: z.int().nullable(),
  /** Received bytes of a running or interrupted download; else 0. */
  received_bytes: z.int(),
  bytes_per_s: z.number().nullable(),
  /** Why the last download failed. */
  failure_reason: z.string().nullable(),
  failure: messageSchema.nullable(),
  installed_at: z.string().nullable(),
  models: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: enrichmentType,
      status: z.enum(['Active', 'Coming Soon']),
      description: z.string(),
      memory_bytes: z.int().nullable(),
      /** Set for zero-shot taggers. */
      labels_editable: z.boolean(),
      /** Execution provider and speed of the last run. */
      device: z.string().nullable(),
      items_per_s: z.number().nullable(),
    }),
  ),
});
export type ModelPackage = z.infer<typeof modelPackage>;

/** An execution provider of ONNX Runtime, tested with a tiny graph. */
export const device = z.object({
  provider: z.string(),
  works: z.boolean(),
  /** Why it does not work, or is slow; null if nothing is wrong. */
  reason: z.string().nullable(),
  /** The reason as data. */
  problem: messageSchema.nullable(),
});
export type Device = z.infer<typeof device>;

export const modelSettings = z.object({
  /** Address of the model hub; files are at `<hub>/<repository>/resolve/<revision>/<path>`. */
  hub_url: z.string(),
  /** Mirror with files at `<mirror>/<package_id>/<path>`, tried before the hub; empty for none. */
  mirror_url: z.string(),
  /** Mirrors of the hub, tried in order after it. */
  mirrors: z.array(z.string()),
  never_download: z.boolean(),
});
export type ModelSettings = z.infer<typeof modelSettings>;

/**
 * The encoder that the catalogue recommends. `none`: there is nothing to ask, because the catalogue recommends none, another encoder is installed,
 * or downloads are forbidden. `downloading`: accepted, and not yet installed.
 */
export const recommendation = z.object({
  state: z.enum(['none', 'ask', 'declined', 'downloading', 'failed', 'installed']),
  package: modelPackage.nullable(),
});
export type Recommendation = z.infer<typeof recommendation>;

/** Semantic encoders, and the default one of new datasets; null for none. */
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
      /** Whether its package can be downloaded. */
      can_download: z.boolean(),
      /** Size of its package; 0 if unknown. */
      size_bytes: z.int(),
      /** Whether it supports text search. */
      finds_texts: z.boolean(),
      /** Images per second of one process, from the last run; null before the first. */
      items_per_s: z.number().nullable(),
    }),
  ),
});
export type EncoderList = z.infer<typeof encoderList>;

/** Interface section 2, Enrichment context. */
export const enrichmentContext = z.object({
  enrichment_context_id: z.string(),
  context_id: z.string(),
  /** `NEW` before the first enrichment, then `IN_PROGRESS`, `COMPLETED` or `FAILED`. */
  status: z.enum(['NEW', 'IN_PROGRESS', 'COMPLETED', 'FAILED']),
  dataset_enrichment_models: z.object({ enrichment_models: z.partialRecord(enrichmentType, z.string()) }),
  /** Number of missing results: a model failed on an item. */
  n_failed: z.int(),
  /** Encoder that is applied in place as soon as it is installed. */
  wanted_encoder: z.string().nullable(),
});
export type EnrichmentContext = z.infer<typeof enrichmentContext>;

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** Result of one model on one image of the sample. */
const previewOutput = z.object({
  model_id: z.string(),
  type: enrichmentType,
  labels: z.array(z.object({ label: z.string(), confidence: z.number() })),
  /** Boxes in pixels of the upright image. */
  objects: z.array(
    z.object({ label: z.string(), confidence: z.number(), bounding_box: box, caption: z.string().nullable() }),
  ),
  caption: z.string().nullable(),
  /** For encoders: the other images of the sample, most similar first. */
  similar_media_ids: z.array(z.string()),
  /** Why the model has no result. */
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
