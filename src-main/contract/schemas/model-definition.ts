import { z } from 'zod';
import { EVERYDAY_LABELS } from '../everyday-labels.ts';
import { LEAST_LABEL_CONFIDENCE } from './image.ts';

/*
 * How a model is described: in the catalogue (`resources/models.json`) and in the `vitrine.json` that a person puts beside a model of
 * their own. Paths are relative to the package's folder, `/` between folders.
 */

/** Enrichment types; a dataset has at most one model of each. The last one is ours: caption embeddings for semantic search. */
export const ENRICHMENT_TYPES = [
  'MULTIMODEL_IMAGE_ENCODING',
  'IMAGE_TAGGING',
  'OBJECT_DETECTION',
  'CAPTION_IMAGES',
  'CAPTION_OBJECTS',
  'CAPTION_ENCODING',
] as const;
export const enrichmentType = z.enum(ENRICHMENT_TYPES);
export type EnrichmentType = z.infer<typeof enrichmentType>;

const identifier = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,99}$/, 'must be lower-case letters, digits, ".", "_" or "-"');
const filePath = z
  .string()
  .min(1)
  .max(300)
  .refine((path) => !path.startsWith('/') && !/(^|[\\/])\.\.([\\/]|$)|\\|:/.test(path), 'must stay inside the folder')
  .refine((path) => !/^(vitrine|installed)\.json$/i.test(path), 'is a name that Vitrine reserves');
const triple = z.tuple([z.number(), z.number(), z.number()]);

/** Preprocessing of an image to an input tensor: `(pixel · scale − mean) / std` per channel in RGB order, pixels from 0 to 255. */
export const imageInput = z.object({
  /** Name of the graph's input (default: the first input). */
  name: z.string().optional(),
  width_px: z.int().min(8).max(4096),
  height_px: z.int().min(8).max(4096),
  /**
   * `stretch` to the size; `crop`: the shorter side becomes `resize_px`, then the centre is cut out; `letterbox`: the longer side fits, the
   * image lies at the top left, the rest has the grey `pad`.
   */
  resize: z.enum(['stretch', 'crop', 'letterbox']),
  resize_px: z.int().min(8).max(4096).optional(),
  kernel: z.enum(['nearest', 'bilinear', 'bicubic', 'lanczos']).default('bilinear'),
  pad: z.int().min(0).max(255).default(114),
  layout: z.enum(['NCHW', 'NHWC']).default('NCHW'),
  channels: z.enum(['RGB', 'BGR']).default('RGB'),
  /** `uint8`: the graph takes raw pixels and normalises them itself. */
  dtype: z.enum(['float32', 'uint8']).default('float32'),
  scale: z.number().default(1 / 255),
  mean: triple.default([0, 0, 0]),
  std: triple.default([1, 1, 1]),
});
export type ImageInput = z.infer<typeof imageInput>;

/** The text encoder of a model, or a sentence encoder; the folder holds `tokenizer.json` and `tokenizer_config.json`. */
export const textTower = z.object({
  model_file: filePath,
  /** Name of the graph's output (default: the first output). */
  output: z.string().optional(),
  /** `none`: the graph returns one vector per text; `mean` and `cls` pool token vectors. */
  pooling: z.enum(['none', 'mean', 'cls']).default('none'),
  max_tokens: z.int().min(1).max(8192).default(77),
  /** `max_length`: texts are padded to `max_tokens`, as the model was trained; `longest`: to the longest of a batch. */
  padding: z.enum(['longest', 'max_length']).default('longest'),
});
export type TextTower = z.infer<typeof textTower>;

const imageEncoder = z.object({
  kind: z.literal('image_encoder'),
  model_file: filePath,
  output: z.string().optional(),
  dim: z.int().min(2).max(8192),
  input: imageInput,
  /** Absent for encoders of images only. */
  text: textTower.optional(),
});

const taggerLimits = {
  max_labels: z.int().min(1).max(100).default(5),
  /** Minimum confidence of stored labels. Screens and searches use a higher limit unless a lower one is asked for. */
  min_confidence: z.number().min(0).max(1).default(LEAST_LABEL_CONFIDENCE),
};

const classifier = z.object({
  kind: z.literal('classifier'),
  model_file: filePath,
  output: z.string().optional(),
  input: imageInput,
  /** One label per line. A leading WordNet id such as `n01440764 ` is skipped; of several names the first is used. */
  labels_file: filePath,
  /** Index of the first line's class, for graphs with classes before it (a background class). */
  first_class: z.int().min(0).default(0),
  activation: z.enum(['softmax', 'sigmoid', 'none']).default('softmax'),
  ...taggerLimits,
});

const zeroShot = z.object({
  kind: z.literal('zero_shot'),
  encoder: imageEncoder.extend({ text: textTower }),
  /** Default labels, one per line; users can edit them. */
  labels: z
    .array(z.string().trim().min(1).max(200))
    .min(2)
    .max(20_000)
    .default(() => [...EVERYDAY_LABELS]),
  /** `{}` stands for the label; vectors of several templates are averaged. */
  templates: z.array(z.string().includes('{}')).min(1).default(['a photo of a {}']),
  /** Factor on cosines before the softmax over all labels (CLIP, arXiv 2103.00020, section 3.1.2). */
  logit_scale: z.number().positive().default(100),
  /** File with the factor as a JSON number, which replaces `logit_scale`. */
  logit_scale_file: filePath.optional(),
  ...taggerLimits,
});

const detector = z.object({
  kind: z.literal('detector'),
  model_file: filePath,
  input: imageInput,
  labels_file: filePath,
  /**
   * `yolox`: one output [1, n, 5 + classes] on strides 8, 16, 32; `detr`: outputs `logits` [1, n, classes] and `pred_boxes` [1, n, 4] as
   * centre and size in fractions, no suppression; `corner_boxes`: outputs `scores` [1, n, classes] whose first class is background and
   * `boxes` [1, n, 4] as corners in fractions.
   */
  decoder: z.enum(['yolox', 'detr', 'corner_boxes']),
  /** Minimum confidence of stored boxes. Screens and labels use a higher limit. */
  min_confidence: z.number().min(0).max(1).default(0.05),
  /** Overlap (IoU) above which the weaker of two boxes of one class is suppressed. */
  max_iou: z.number().min(0).max(1).default(0.45),
  max_objects: z.int().min(1).max(1000).default(100),
});

const captioner = z.object({
  kind: z.literal('captioner'),
  /** How transformers.js loads the folder: `vision_encoder_decoder` (ViT-GPT2), `florence2`, `idefics3` (SmolVLM). */
  architecture: z.enum(['vision_encoder_decoder', 'florence2', 'idefics3']),
  /** Variant of the weights, part of file names such as `decoder_model_merged_q4.onnx`. */
  dtype: z.union([z.string(), z.record(z.string(), z.string())]).default('fp32'),
  /** Prompt of the model; for `florence2` a task such as `<CAPTION>`. */
  prompt: z.string().default(''),
  max_new_tokens: z.int().min(1).max(1024).default(40),
});

const sentenceEncoder = textTower.extend({ kind: z.literal('sentence_encoder'), dim: z.int().min(2).max(8192) });

/** Imported embeddings: a Parquet file with `media_id` or `filename`, and a list of floats. */
const precomputed = z.object({ kind: z.literal('precomputed'), file: filePath, dim: z.int().min(2).max(8192) });

export const runner = z.discriminatedUnion('kind', [
  imageEncoder,
  classifier,
  zeroShot,
  detector,
  captioner,
  sentenceEncoder,
  precomputed,
]);
export type Runner = z.infer<typeof runner>;
export type RunnerOf<Kind extends Runner['kind']> = Extract<Runner, { kind: Kind }>;

/** Runner kinds of each enrichment type. */
const RUNNERS_OF: Record<EnrichmentType, readonly Runner['kind'][]> = {
  MULTIMODEL_IMAGE_ENCODING: ['image_encoder', 'precomputed'],
  IMAGE_TAGGING: ['classifier', 'zero_shot'],
  OBJECT_DETECTION: ['detector'],
  CAPTION_IMAGES: ['captioner'],
  CAPTION_OBJECTS: ['captioner'],
  CAPTION_ENCODING: ['sentence_encoder'],
};

function checkRunner({ value, issues }: z.core.ParsePayload<{ type: EnrichmentType; runner: Runner }>): void {
  if (RUNNERS_OF[value.type].includes(value.runner.kind)) return;
  const message = `is not of a kind that does ${value.type}`;
  issues.push({ code: 'custom', path: ['runner'], message, input: value.runner });
}

/**
 * Calibration of raw text-to-image cosines to distances that are comparable between models. `background`: standard deviations above the
 * cosines of unrelated texts and images (the noise distribution). Without `mean` and `deviation` they are measured on the dataset.
 */
const calibration = z.object({
  method: z.literal('background'),
  mean: z.number().optional(),
  deviation: z.number().positive().optional(),
});

export const modelDefinition = z
  .object({
    id: identifier,
    name: z.string().min(1).max(200),
    type: enrichmentType,
    package_id: identifier,
    description: z.string().max(2000),
    /** `Coming Soon` for models that cannot be applied yet. */
    status: z.enum(['Active', 'Coming Soon']).default('Active'),
    dependencies: z.array(enrichmentType).nullable().default(null),
    runner,
    calibration: calibration.optional(),
    /** For encoders: linkage thresholds of the cluster levels, finest first (default: measured on the dataset). */
    cuts: z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()]).optional(),
    /** Approximate memory of a process that runs the model. */
    memory_bytes: z.int().positive().optional(),
    devices: z.array(z.string()).optional(),
  })
  .check(checkRunner);
export type ModelDefinition = z.infer<typeof modelDefinition>;

const packageFile = z.object({
  path: filePath,
  /** Path in the repository, if different from `path`. */
  remote_path: z.string().optional(),
  /** Contents of a file that the catalogue provides, such as a list of labels; it is written, not downloaded. */
  content: z.string().optional(),
  /** Present only if a source states them. */
  size_bytes: z.int().positive().optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/**
 * A graph with both encoders of CLIP, as transformers.js has them in one file: outputs `image_embeds`, `text_embeds` and `logits_per_image`.
 * When the package is installed, the graph is cut into one for images and one for texts, so that neither runs the other.
 */
const jointGraph = z.object({
  file: filePath,
  /** Files that are written, in the folder of `file`. */
  image_file: filePath,
  text_file: filePath,
  /** File for the factor by which the graph multiplies cosines. */
  logit_scale_file: filePath,
});
export type JointGraph = z.infer<typeof jointGraph>;

/** Files that are downloaded, imported and removed together. */
const packageDefinition = z.object({
  id: identifier,
  name: z.string().min(1).max(200),
  vendor: z.string().max(200),
  licence: z.string().max(200),
  licence_url: z.string().optional(),
  /** Source of the files: a repository of the model hub, or a base address for file paths. */
  source: z
    .object({
      hub_repository: z.string().optional(),
      revision: z.string().optional(),
      base_url: z.string().optional(),
      page_url: z.string().optional(),
    })
    .nullable(),
  files: z.array(packageFile).min(1),
  joint_graph: jointGraph.optional(),
  /** Whether a new installation offers this package for its first dataset. At most one package of a catalogue. */
  recommended: z.boolean().optional(),
});
export type PackageDefinition = z.infer<typeof packageDefinition>;

/** Format of `resources/models.json`, and with one package of an installed `vitrine.json`. */
export const modelCatalogue = z.object({ packages: z.array(packageDefinition), models: z.array(modelDefinition) });
export type ModelCatalogue = z.infer<typeof modelCatalogue>;

/** The JSON beside a user's own `model.onnx`: properties of the model that its file does not contain. */
export const ownModel = z
  .object({
    name: z.string().min(1).max(200).optional(),
    vendor: z.string().max(200).optional(),
    licence: z.string().max(200).optional(),
    description: z.string().max(2000).optional(),
    type: enrichmentType,
    runner,
    calibration: calibration.optional(),
  })
  .check(checkRunner);
