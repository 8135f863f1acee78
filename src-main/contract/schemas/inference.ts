import { z } from 'zod';
import { messageSchema } from '../messages.ts';

/* Requests to and answers of inference hosts: the program's command `infer`. */

/** Maximum number of images per request. */
export const MAX_INFERENCE_IMAGES = 64;
/** Maximum size in bytes of the files of one request together. */
export const MAX_INFERENCE_BYTES = 64 * 2 ** 20;

/** A model and the version of its files and run parameters. */
const modelRef = z.object({
  model_id: z.string().min(1).max(200),
  version: z.string().min(1).max(200),
  labels: z.array(z.string()).max(100_000).optional(),
});

export const inferenceRequest = z.object({
  /** Version of the caller's program. A host of another version refuses the request. */
  program_version: z.string().optional(),
  models: z.array(modelRef).min(1).max(16),
  /** Models to apply to detected objects. */
  box_models: z.array(modelRef).max(16).optional(),
  /** An image without a URL is the next file of the form. */
  images: z
    .array(z.object({ url: z.string().max(8192).optional(), swap_rgb: z.boolean().optional() }))
    .min(1)
    .max(MAX_INFERENCE_IMAGES),
});
export type InferenceRequest = z.infer<typeof inferenceRequest>;

const foundLabel = z.object({ label: z.string(), class_id: z.int().nullable(), confidence: z.number() });
const pixelBox = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const output = z.discriminatedUnion('kind', [
  /** L2-normalised vector: little-endian float32 numbers in base64. */
  z.object({ kind: z.literal('vector'), vector: z.base64() }),
  z.object({ kind: z.literal('labels'), labels: z.array(foundLabel) }),
  z.object({ kind: z.literal('objects'), objects: z.array(foundLabel.extend({ box: pixelBox })) }),
  z.object({ kind: z.literal('caption'), caption: z.string() }),
  z.object({ kind: z.literal('failed'), reason: messageSchema }),
]);
export type WireOutput = z.infer<typeof output>;

const failureKind = z.enum(['corrupt', 'unsupported', 'too_large', 'unreadable', 'empty', 'crashed']);
const described = z.discriminatedUnion('ok', [
  /** The thumbnail is a WebP file in base64. */
  z.object({ ok: z.literal(true), thumbnail: z.base64(), outputs: z.array(output) }),
  z.object({ ok: z.literal(false), reason: messageSchema }),
]);
const applied = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    width: z.int(),
    height: z.int(),
    /** In the order of the models. */
    outputs: z.array(output),
    /** The objects of each output, in order; empty without box models. */
    boxes: z.array(z.array(described)),
  }),
  z.object({ ok: z.literal(false), kind: failureKind, reason: messageSchema }),
]);
export type WireImage = z.infer<typeof applied>;

export const inferenceAnswer = z.object({ results: z.array(applied) });
export type InferenceAnswer = z.infer<typeof inferenceAnswer>;

export const hostDescription = z.object({
  program_version: z.string(),
  /** Number of processes that run models at the same time. */
  processes: z.int().min(1).max(1024),
  models: z.array(z.object({ model_id: z.string(), version: z.string() })),
  devices: z.array(z.object({ provider: z.string(), works: z.boolean() })),
});
export type HostDescription = z.infer<typeof hostDescription>;
