import type { ImageQuality } from '../../src-main/core/ports/image-quality.ts';

/** Image quality for tests that do not examine it. */
export const EVEN_GREY: ImageQuality = {
  mean_luma: 0.5,
  p01_luma: 0.5,
  p05_luma: 0.5,
  p50_luma: 0.5,
  p95_luma: 0.5,
  p99_luma: 0.5,
  contrast: 0,
  sharpness: 0,
  edge_energy: 0,
  edge_sharpness: 0,
  blown_share: 0,
  entropy_bits: 0,
  colourfulness: 0,
  grey_share: 1,
};
