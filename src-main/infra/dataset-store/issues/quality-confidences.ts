import { SURE_OF_ISSUE } from '../../../contract/schemas/issues.ts';
import type { ImageQuality } from '../../../core/ports/image-quality.ts';
import type { IssueLimits } from '../../../core/ports/issue-limits.ts';
import { confidenceAbove, confidenceBelow } from './confidence.ts';

/** Issues computed from an item's statistics alone. */
export const MEASURED_ISSUES = ['blur', 'dark', 'bright', 'low_information'] as const;
export type MeasuredIssue = (typeof MEASURED_ISSUES)[number];

/** Statistics from which these issues are computed. */
export const MEASURES = [
  'p05_luma',
  'p95_luma',
  'contrast',
  'sharpness',
  'edge_sharpness',
  'blown_share',
  'entropy_bits',
] as const satisfies readonly (keyof ImageQuality)[];
export type Measures = Pick<ImageQuality, (typeof MEASURES)[number]>;

/**
 * [Note: Blur]
 * The variance of the Laplacian (Pech-Pacheco et al., 2000) measures how much fine detail an image has, not how sharp its edges are: the
 * variance is low for plain objects and high for noise. Across an edge of height h that is σ pixels wide, the first difference sums to h
 * whatever σ is, and the squared second difference to h²/σ³. If edges fill a share f of the image, the mean squared second difference
 * divided by the squared mean first difference is thus near 1/(f σ³), whatever the contrast. Motion softens edges in one direction only, so
 * the lowest value of four directions counts. Images with few edges have a high value however soft these are, so very little detail,
 * relative to the contrast, also indicates blur.
 *
 * Limits come from generated blur and motion on photos of four sources, cross-validated over the sources: docs/duplicates-and-issues.md.
 */
const EDGES = 2.3;
const DETAIL = 75;
/** Contrast above which low contrast no longer explains a lack of detail. */
const ORDINARY_CONTRAST = 0.2;
/** Share of overexposed pixels from which an image is bright, multiplied by the limit of the 5th percentile's distance from white. */
const BLOWN = 0.06;

export function qualityConfidences(quality: Measures, limits: IssueLimits): Record<MeasuredIssue, number> {
  const lowInformation = confidenceBelow(quality.entropy_bits, limits.low_information);
  return {
    // An image without content has no edges that could be soft.
    blur: lowInformation >= SURE_OF_ISSUE ? 0 : blur(quality, limits.blur),
    dark: confidenceBelow(quality.p95_luma, limits.dark),
    bright: Math.max(
      confidenceBelow(1 - quality.p05_luma, limits.bright),
      confidenceAbove(quality.blown_share, BLOWN / limits.bright),
    ),
    low_information: lowInformation,
  };
}

function blur({ sharpness, edge_sharpness, contrast }: Measures, limit: number): number {
  if (edge_sharpness === 0 || contrast === 0) return 0;
  const detail = sharpness / Math.min(1, contrast / ORDINARY_CONTRAST) ** 2;
  return Math.max(confidenceBelow(edge_sharpness, EDGES * limit), confidenceBelow(detail, DETAIL * limit));
}
