import { type Affine, betweenHalves, followedBy, inverse, isPlausible, scaleOf } from './affine.ts';
import { agreementOf } from './block-agreement.ts';
import { differenceOfColours } from './colour-difference.ts';
import { placesOf } from './place-small.ts';
import { refineAffine } from './refine-affine.ts';
import type { SmallImage } from './small-image.ts';
import { superimpose } from './superimpose.ts';

/** Blocks that are compared one by one. With so few pixels, blocks of different images correlate more often than those of large images. */
const PARTS = { block_px: 8, cells: 1, agrees: 0.85 };
/** Width in pixels of the edge that does not count. */
const MARGIN_PX = 1;
/** Minimum number of textured blocks for a meaningful result. */
const LEAST_BLOCKS = 4;
/** Minimum correlation of brightness at a place that is worth refining, and number of places that are refined. */
const LEAST_CORRELATION = 0.6;
const REFINED = 3;
/** Maximum change of a place by its refinement. */
const LIMITS = { max_scale: 1.2, max_stretch: 1.2 };

/**
 * Computes how much of two small images agrees. They have too few pixels for corners, so their brightness is compared directly: at all places
 * of one on the other, and more precisely at the best of these.
 * @returns 0 … 1; 0 when no alignment is found.
 */
export function compareSmall(a: SmallImage, b: SmallImage): number {
  const worth = placesOf(a, b)
    .slice(0, REFINED)
    .filter(({ correlation }) => correlation >= LEAST_CORRELATION);
  return worth.reduce((most, { affine }) => Math.max(most, shareOf(a, b, affine)), 0);
}

function shareOf(a: SmallImage, b: SmallImage, place: Affine): number {
  const toB = refineAffine(a.luma, b.luma, place);
  if (!isPlausible(followedBy(toB, inverse(place)), LIMITS)) return 0;
  // The pixels of the coarser image have the detail that both have.
  const [base, other, toOther] = scaleOf(toB) >= 1 ? [a, b, toB] : [b, a, inverse(toB)];
  const { laid, covered } = superimpose(base.luma, other.luma, toOther, MARGIN_PX);
  const colours = () => differenceOfColours(base.colours, other.colours, betweenHalves(toOther), PARTS.block_px / 2);
  const agreement = agreementOf(base.luma.data, laid, covered, base.luma, PARTS, colours);
  return agreement.blocks >= LEAST_BLOCKS ? agreement.share : 0;
}
