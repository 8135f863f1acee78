/** A model as its files: text that is JSON already, data that becomes JSON, or the bytes of a graph. */
export type ModelFolder = Record<string, unknown>;

/** `preprocessor_config.json` of a square of `side_px`. */
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
/** Of ImageNet, as torchvision has them. */
export const IMAGENET_MEAN = [0.485, 0.456, 0.406] as const;
export const IMAGENET_STD = [0.229, 0.224, 0.225] as const;
