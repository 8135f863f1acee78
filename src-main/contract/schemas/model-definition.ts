import { z } from 'zod';
import { EVERYDAY_LABELS } from '../everyday-labels.ts';

/*
 * How a model is described: in the catalogue (`resources/models.json`) and in the `vitrine.json` that a person puts beside a model of
 * their own. Paths are relative to the package's folder, `/` between folders.
 */

/** What a model adds to a dataset; a dataset has at most one model of each. The last one is ours: it makes captions findable by meaning. */
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
  .refine((path) => !/^(vitrine|installed)\.json$/i.test(path), 'is a name that Vitrine keeps for itself');
const triple = z.tuple([z.number(), z.number(), z.number()]);

/** How an image becomes the tensor that a graph takes. Values are `(pixel · scale − mean) / std`, pixels 0 to 255, per channel in RGB order. */
export const imageInput = z.object({
  /** Name in the graph; its first input when left out. */
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
  /** `uint8`: the graph takes pixels as they are and does its own arithmetic. */
  dtype: z.enum(['float32', 'uint8']).default('float32'),
  scale: z.number().default(1 / 255),
  mean: triple.default([0, 0, 0]),
  std: triple.default([1, 1, 1]),
});
export type ImageInput = z.infer<typeof imageInput>;

/** The text side of an encoder, or an encoder of sentences; the folder holds `tokenizer.json` and `tokenizer_config.json`. */
export const textTower = z.object({
  model_file: filePath,
  /** Name of the output; the graph's first when left out. */
  output: z.string().optional(),
  /** `none`: the graph gives one vector a text; `mean` and `cls` pool the vectors of tokens. */
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
  /** Left out for encoders that know only images. */
  text: textTower.optional(),
});

const classifier = z.object({
  kind: z.literal('classifier'),
  model_file: filePath,
  output: z.string().optional(),
  input: imageInput,
  /** One label a line; a leading WordNet id such as `n01440764 ` is passed over, of several names the first is taken. */
  labels_file: filePath,
  /** Class of the first line, where the graph has others before it (a background class). */
  first_class: z.int().min(0).default(0),
  activation: z.enum(['softmax', 'sigmoid', 'none']).default('softmax'),
  max_labels: z.int().min(1).max(100).default(5),
  min_confidence: z.number().min(0).max(1).default(0.2),
});

const zeroShot = z.object({
  kind: z.literal('zero_shot'),
  encoder: imageEncoder.extend({ text: textTower }),
  /** The list that is used until the person edits it; one label a line. */
  labels: z
    .array(z.string().trim().min(1).max(200))
    .min(2)
    .max(20_000)
    .default(() => [...EVERYDAY_LABELS]),
  /** `{}` stands for the label; vectors of several templates are averaged. */
  templates: z.array(z.string().includes('{}')).min(1).default(['a photo of a {}']),
  /** Factor on cosines before the softmax over all labels (CLIP, arXiv 2103.00020, section 3.1.2). */
  logit_scale: z.number().positive().default(100),
  max_labels: z.int().min(1).max(100).default(5),
  min_confidence: z.number().min(0).max(1).default(0.2),
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
  /** Boxes below are not kept. Many that a person wants to see have little confidence; screens and labels begin at a higher one. */
  min_confidence: z.number().min(0).max(1).default(0.05),
  /** Overlap from which the weaker of two boxes of one class goes. */
  max_iou: z.number().min(0).max(1).default(0.45),
  max_objects: z.int().min(1).max(1000).default(100),
});

const captioner = z.object({
  kind: z.literal('captioner'),
  /** How transformers.js loads the folder: `vision_encoder_decoder` (ViT-GPT2), `florence2`, `idefics3` (SmolVLM). */
  architecture: z.enum(['vision_encoder_decoder', 'florence2', 'idefics3']),
  /** Which variant of the weights; file names carry it, as in `decoder_model_merged_q4.onnx`. */
  dtype: z.union([z.string(), z.record(z.string(), z.string())]).default('fp32'),
  /** What the model is asked; for `florence2` a task such as `<CAPTION>`. */
  prompt: z.string().default(''),
  max_new_tokens: z.int().min(1).max(1024).default(40),
});

const sentenceEncoder = textTower.extend({ kind: z.literal('sentence_encoder'), dim: z.int().min(2).max(8192) });

/** Vectors that the person made elsewhere: a Parquet file with `media_id` or `filename`, and a list of floats. */
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

/** The kinds that give what a type adds. */
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
 * What turns raw text-to-image cosines into distances that read alike for every model. `background`: in standard deviations above the
 * cosines of texts and images that have nothing to do with each other. Without `mean` and `deviation` they are measured on the dataset.
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
    /** `Coming Soon` for what cannot be applied by any means yet. */
    status: z.enum(['Active', 'Coming Soon']).default('Active'),
    dependencies: z.array(enrichmentType).nullable().default(null),
    runner,
    calibration: calibration.optional(),
    /** For encoders: average similarities at which clusters stop growing, finest first; measured on the dataset when left out. */
    cuts: z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()]).optional(),
    /** What a process needs to run it, roughly. */
    memory_bytes: z.int().positive().optional(),
    devices: z.array(z.string()).optional(),
  })
  .check(checkRunner);
export type ModelDefinition = z.infer<typeof modelDefinition>;

const packageFile = z.object({
  path: filePath,
  /** Where it is in the repository, when not at `path`. */
  remote_path: z.string().optional(),
  /** Text that comes with the catalogue, such as a list of labels: the file is written, not fetched. */
  content: z.string().optional(),
  /** Only where a source states them. */
  size_bytes: z.int().positive().optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/** Files that belong together: what is downloaded, imported and removed as one. */
const packageDefinition = z.object({
  id: identifier,
  name: z.string().min(1).max(200),
  vendor: z.string().max(200),
  licence: z.string().max(200),
  licence_url: z.string().optional(),
  /** Where the files come from: a repository of the model hub, or any address that file paths are joined to. */
  source: z
    .object({
      hub_repository: z.string().optional(),
      revision: z.string().optional(),
      base_url: z.string().optional(),
      page_url: z.string().optional(),
    })
    .nullable(),
  files: z.array(packageFile).min(1),
});
export type PackageDefinition = z.infer<typeof packageDefinition>;

/** `resources/models.json`, and with one package the `vitrine.json` of an installed one. */
export const modelCatalogue = z.object({ packages: z.array(packageDefinition), models: z.array(modelDefinition) });
export type ModelCatalogue = z.infer<typeof modelCatalogue>;

/** The small JSON beside a person's own `model.onnx`: what cannot be known from the files. */
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
