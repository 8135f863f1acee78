import type { ImageQuality } from '../../../core/ports/image-quality.ts';

/** The columns of `media` with an item's statistics, spelled as in {@link ImageQuality}. */
export const QUALITY_COLUMNS = [
  'mean_luma',
  'p01_luma',
  'p05_luma',
  'p50_luma',
  'p95_luma',
  'p99_luma',
  'contrast',
  'sharpness',
  'edge_energy',
  'edge_sharpness',
  'blown_share',
  'entropy_bits',
  'colourfulness',
  'grey_share',
] as const satisfies readonly (keyof ImageQuality)[];

/** Returns the statistics among the columns of a row. */
export function qualityOf(row: ImageQuality): ImageQuality {
  const { mean_luma, p01_luma, p05_luma, p50_luma, p95_luma, p99_luma } = row;
  const { contrast, sharpness, edge_energy, edge_sharpness, blown_share, entropy_bits, colourfulness, grey_share } =
    row;
  const luma = { mean_luma, p01_luma, p05_luma, p50_luma, p95_luma, p99_luma };
  const detail = { contrast, sharpness, edge_energy, edge_sharpness };
  return { ...luma, ...detail, blown_share, entropy_bits, colourfulness, grey_share };
}
