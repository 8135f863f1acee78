import type { ImageInput } from '../../contract/schemas/model-definition.ts';
import type { WorkingImage } from './decode-image.ts';
import { sharp } from './sharp-runtime.ts';

export interface PixelSize {
  width: number;
  height: number;
}

/** An image prepared for a model, before any arithmetic: interleaved RGB, 8 bits per channel. */
export interface PreparedImage extends WorkingImage {
  /** Size of the upright image in pixels, before scaling. */
  image: PixelSize;
  /** Converts image pixels to model pixels along each axis: `scale · image pixel + offset`. */
  scale_x: number;
  scale_y: number;
  offset_x: number;
  offset_y: number;
}

/** Factor by which an image is decoded larger than the model's input, so that scaling twice causes no visible loss. */
const SPARE_SCALE = 2;
const KERNELS = { nearest: 'nearest', bilinear: 'linear', bicubic: 'cubic', lanczos: 'lanczos3' } as const;

interface Placement {
  resized: PixelSize;
  scale_x: number;
  scale_y: number;
  offset_x: number;
  offset_y: number;
}

/**
 * Position of an image in a model's input. Sizes round down as in the reference implementations: `crop` as torchvision's Resize and
 * transformers' CLIPImageProcessor (longer side `int(size · long / short)`, margins halved and rounded down), `letterbox` as YOLOX's
 * `preproc` (`int(side · ratio)`).
 */
function placementOf(input: ImageInput, { width, height }: PixelSize): Placement {
  const { width_px, height_px } = input;
  if (input.resize === 'stretch') {
    const [scaleX, scaleY] = [width_px / width, height_px / height];
    return {
      resized: { width: width_px, height: height_px },
      scale_x: scaleX,
      scale_y: scaleY,
      offset_x: 0,
      offset_y: 0,
    };
  }
  if (input.resize === 'letterbox') {
    const ratio = Math.min(height_px / height, width_px / width);
    const resized = {
      width: Math.max(1, Math.floor(width * ratio)),
      height: Math.max(1, Math.floor(height * ratio)),
    };
    return { resized, scale_x: ratio, scale_y: ratio, offset_x: 0, offset_y: 0 };
  }
  const short = Math.max(input.resize_px ?? 0, width_px, height_px);
  const long = Math.floor((short * Math.max(width, height)) / Math.min(width, height));
  const resized = width <= height ? { width: short, height: long } : { width: long, height: short };
  return {
    resized,
    scale_x: resized.width / width,
    scale_y: resized.height / height,
    offset_x: -Math.floor((resized.width - width_px) / 2),
    offset_y: -Math.floor((resized.height - height_px) / 2),
  };
}

/** Returns the scale, relative to the image's own size, at which an image must be decoded for this input; at most 1. */
export function neededScale(input: ImageInput, image: PixelSize): number {
  const { resized } = placementOf(input, image);
  return Math.min(1, SPARE_SCALE * Math.max(resized.width / image.width, resized.height / image.height));
}

/** Key of a preparation: inputs with equal keys use the same prepared image. */
export function preparationKey({ width_px, height_px, resize, resize_px, kernel, pad }: ImageInput): string {
  return JSON.stringify([width_px, height_px, resize, resize_px, kernel, pad]);
}

/**
 * Scales, crops or pads a decoded image to a model's input.
 * @param image Size of the upright image, of which `working` may be a smaller copy.
 */
export async function prepareImage(working: WorkingImage, image: PixelSize, input: ImageInput): Promise<PreparedImage> {
  const { width_px, height_px } = input;
  const { resized, ...fit } = placementOf(input, image);
  let pipeline = sharp(working.data, { raw: { width: working.width, height: working.height, channels: 3 } }).resize(
    resized.width,
    resized.height,
    { fit: 'fill', kernel: KERNELS[input.kernel] },
  );
  if (input.resize === 'crop') {
    const [left, top] = [Math.abs(fit.offset_x), Math.abs(fit.offset_y)];
    pipeline = pipeline.extract({ left, top, width: width_px, height: height_px });
  }
  if (input.resize === 'letterbox') {
    const { pad: level } = input;
    const [right, bottom] = [width_px - resized.width, height_px - resized.height];
    pipeline = pipeline.extend({ right, bottom, background: { r: level, g: level, b: level } });
  }
  const data = await pipeline.raw().toBuffer();
  return { data, width: width_px, height: height_px, image, ...fit };
}

/** Builds the input tensor of a batch in the model's layout, channel order and scale: `rows` images, filled up with grey images. */
export function tensorOf(
  batch: readonly PreparedImage[],
  input: ImageInput,
  rows: number,
): { data: Float32Array | Uint8Array; dims: number[] } {
  const { width_px: width, height_px: height } = input;
  const dims = input.layout === 'NCHW' ? [rows, 3, height, width] : [rows, height, width, 3];
  const length = rows * 3 * width * height;
  const data = input.dtype === 'uint8' ? new Uint8Array(length) : new Float32Array(length);
  const isPlain = input.dtype === 'uint8' && input.layout === 'NHWC' && input.channels === 'RGB';
  const levels = isPlain ? [] : levelsOf(input);
  for (const [row, image] of batch.entries()) {
    const at = row * 3 * width * height;
    if (isPlain) data.set(image.data, at);
    else fillImage(data, at, image.data, input, levels);
  }
  return { data, dims };
}

/** Lookup tables that convert the 256 levels of red, green and blue to the model's input values. */
function levelsOf({ dtype, scale, mean, std }: ImageInput): Float32Array[] {
  return [0, 1, 2].map((channel) =>
    Float32Array.from({ length: 256 }, (_, level) =>
      dtype === 'uint8' ? level : (level * scale - (mean[channel] ?? 0)) / (std[channel] ?? 1),
    ),
  );
}

function fillImage(
  target: Float32Array | Uint8Array,
  start: number,
  pixels: Buffer,
  { layout, channels }: ImageInput,
  levels: readonly Float32Array[],
): void {
  const count = pixels.length / 3;
  const [step, plane] = layout === 'NCHW' ? [1, count] : [3, 1];
  for (let channel = 0; channel < 3; channel += 1) {
    const table = levels[channel] ?? new Float32Array(256);
    let to = start + plane * (channels === 'RGB' ? channel : 2 - channel);
    for (let from = channel; from < pixels.length; from += 3, to += step) target[to] = table[pixels[from] ?? 0] ?? 0;
  }
}
