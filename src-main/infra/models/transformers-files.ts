import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { ImageInput } from '../../contract/schemas/model-definition.ts';
import { isFile, missing } from './found-package.ts';
import { readJson } from './package-folder.ts';

/*
 * The fields that are read from the JSON files of a model in the layout of transformers and transformers.js:
 * https://huggingface.co/docs/transformers/main_classes/configuration and …/main_classes/image_processor
 */

const part = z.looseObject({
  hidden_size: z.int().optional(),
  projection_dim: z.int().optional(),
  image_size: z.int().optional(),
  max_position_embeddings: z.int().optional(),
});

export const configFile = z.looseObject({
  model_type: z.string(),
  architectures: z.array(z.string()).nullish(),
  hidden_size: z.int().optional(),
  projection_dim: z.int().optional(),
  max_position_embeddings: z.int().optional(),
  problem_type: z.string().nullish(),
  id2label: z.record(z.string(), z.string()).nullish(),
  vision_config: part.nullish(),
  text_config: part.nullish(),
});
export type ConfigFile = z.infer<typeof configFile>;

const side = z.union([
  z.number(),
  z.looseObject({
    height: z.number().optional(),
    width: z.number().optional(),
    shortest_edge: z.number().optional(),
    longest_edge: z.number().optional(),
  }),
]);
type Side = z.infer<typeof side>;

const preprocessorFile = z.looseObject({
  do_resize: z.boolean().nullish(),
  size: side.nullish(),
  resample: z.int().nullish(),
  crop_pct: z.number().nullish(),
  do_center_crop: z.boolean().nullish(),
  crop_size: side.nullish(),
  do_rescale: z.boolean().nullish(),
  rescale_factor: z.number().nullish(),
  do_normalize: z.boolean().nullish(),
  image_mean: z.array(z.number()).nullish(),
  image_std: z.array(z.number()).nullish(),
  do_flip_channel_order: z.boolean().nullish(),
});

export const tokenizerFile = z.looseObject({ model_max_length: z.number().nullish() });

/** Values of the `resample` field, as Pillow numbers them. */
const KERNELS: Record<number, ImageInput['kernel']> = { 0: 'nearest', 1: 'lanczos', 2: 'bilinear', 3: 'bicubic' };

/** @throws AppError `invalid_request` when the file is missing or invalid. */
export async function readSettings<T extends z.ZodType>(folder: string, name: string, schema: T): Promise<z.infer<T>> {
  if (!(await isFile(join(folder, name)))) throw missing(name);
  try {
    return schema.parse(await readJson(join(folder, name)));
  } catch {
    throw new AppError('invalid_request', message('model_settings_unreadable', { file: name }));
  }
}

/**
 * Reads the preprocessing of images from `preprocessor_config.json`.
 * @param shape Shape of the graph's input: [batch, channels, height, width].
 * @throws AppError `invalid_request` for unsupported settings.
 */
export async function readImageInput(
  folder: string,
  name: string,
  shape: (number | string | null)[] | null,
): Promise<ImageInput> {
  const settings = await readSettings(folder, 'preprocessor_config.json', preprocessorFile);
  const input: ImageInput = {
    name,
    ...placement(settings),
    kernel: KERNELS[settings.resample ?? 2] ?? 'bilinear',
    pad: 0,
    layout: 'NCHW',
    channels: settings.do_flip_channel_order ? 'BGR' : 'RGB',
    dtype: 'float32',
    scale: settings.do_rescale === false ? 1 : (settings.rescale_factor ?? 1 / 255),
    mean: settings.do_normalize === false ? [0, 0, 0] : triple(settings.image_mean, 0),
    std: settings.do_normalize === false ? [1, 1, 1] : triple(settings.image_std, 1),
  };
  const [, , height, width] = shape ?? [];
  if (
    (typeof height === 'number' && height !== input.height_px) ||
    (typeof width === 'number' && width !== input.width_px)
  ) {
    throw new AppError('invalid_request', message('model_image_size_differs'));
  }
  return input;
}

function placement(
  settings: z.infer<typeof preprocessorFile>,
): Pick<ImageInput, 'width_px' | 'height_px' | 'resize' | 'resize_px'> {
  const crop = settings.do_center_crop ? fixed(settings.crop_size) : undefined;
  const size = fixed(settings.size);
  const shortest = shortestEdge(settings.size);
  if (crop && (shortest ?? size)) {
    const resizePx = shortest ?? Math.min(size?.width ?? 0, size?.height ?? 0);
    return { width_px: crop.width, height_px: crop.height, resize: 'crop', resize_px: resizePx };
  }
  if (size) return { width_px: size.width, height_px: size.height, resize: 'stretch' };
  // ConvNeXT: the shorter side is divided by the share that the crop keeps.
  if (shortest !== undefined && settings.crop_pct && shortest < 384) {
    const resizePx = Math.floor(shortest / settings.crop_pct);
    return { width_px: shortest, height_px: shortest, resize: 'crop', resize_px: resizePx };
  }
  throw new AppError('invalid_request', message('model_image_size_unknown'));
}

function fixed(size: Side | null | undefined): { width: number; height: number } | undefined {
  if (typeof size === 'number') return { width: size, height: size };
  return size?.width && size.height ? { width: size.width, height: size.height } : undefined;
}

function shortestEdge(size: Side | null | undefined): number | undefined {
  if (typeof size === 'number') return size;
  return size?.longest_edge === undefined ? size?.shortest_edge : undefined;
}

function triple(values: number[] | null | undefined, otherwise: number): [number, number, number] {
  const [red = otherwise, green = red, blue = red] = values ?? [];
  return [red, green, blue];
}
