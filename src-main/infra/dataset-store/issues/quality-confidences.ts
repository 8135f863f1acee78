import { SURE_OF_ISSUE } from '../../../contract/schemas/issues.ts';
import type { ImageQuality } from '../../../core/ports/image-quality.ts';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import { confidenceBelow } from './confidence.ts';

/** Issues computed from an item's statistics alone. */
export const MEASURED_ISSUES = ['blur', 'dark', 'bright', 'low_information'] as const;
export type MeasuredIssue = (typeof MEASURED_ISSUES)[number];

/** Statistics from which these issues are computed. */
export const MEASURES = [
  'mean_luma',
  'p05_luma',
  'contrast',
  'sharpness',
  'edge_energy',
  'entropy_bits',
] as const satisfies readonly (keyof ImageQuality)[];
export type Measures = Pick<ImageQuality, (typeof MEASURES)[number]>;

/**
 * [Note: Blur]
 * The variance of the Laplacian (Pech-Pacheco et al., 2000) measures how much fine detail an image has, not how sharp its edges are: the
 * variance is low for plain objects and high for noise. Across an edge of height h that is σ pixels wide, the gradient sums to h whatever σ
 * is, and the squared Laplacian to h²/σ³. If edges fill a share f of the image, variance divided by squared mean gradient is thus near 1/(f
 * σ³), whatever the contrast: photos have values of 5 to 30, and a fifth of that after a blur by 1.5 pixels. Images with few edges have a
 * high value however soft these are, so very little detail, relative to the contrast, also indicates blur.
 */
const EDGES = 4.5;
const DETAIL = 80;
/** Contrast above which low contrast no longer explains a lack of detail. */
const ORDINARY_CONTRAST = 0.2;

export function qualityConfidences(quality: Measures, limits: IssueLimits): Record<MeasuredIssue, number> {
  const lowInformation = confidenceBelow(quality.entropy_bits, limits.low_information);
  return {
    // An image without content has no edges that could be soft.
    blur: lowInformation >= SURE_OF_ISSUE ? 0 : blur(quality, limits.blur),
    dark: confidenceBelow(quality.mean_luma, limits.dark),
    bright: confidenceBelow(1 - quality.p05_luma, limits.bright),
    low_information: lowInformation,
  };
}

function blur({ sharpness, edge_energy, contrast }: Measures, limit: number): number {
  if (edge_energy === 0 || contrast === 0) return 0;
  const edges = sharpness / edge_energy ** 2;
  const detail = sharpness / Math.min(1, contrast / ORDINARY_CONTRAST) ** 2;
  return Math.max(confidenceBelow(edges, EDGES * limit), confidenceBelow(detail, DETAIL * limit));
}
