/** A model's files by name: JSON text, data that is written as JSON, or the bytes of a graph. */
export type ModelFolder = Record<string, unknown>;

/** `preprocessor_config.json` for square images of `sidePx` pixels. */
export const squareImages = (sidePx: number, mean: readonly number[], std: readonly number[]) => ({
  do_convert_rgb: true,
  do_resize: true,
  size: { height: sidePx, width: sidePx },
  resample: 3,
  do_rescale: true,
  rescale_factor: 1 / 255,
  do_normalize: true,
  image_mean: mean,
  image_std: std,
});

export const HALVES = [0.5, 0.5, 0.5] as const;
/** Mean and standard deviation of ImageNet's channels, as in torchvision. */
export const IMAGENET_MEAN = [0.485, 0.456, 0.406] as const;
export const IMAGENET_STD = [0.229, 0.224, 0.225] as const;
