import { type Affine, betweenHalves, inverse, isPlausible, scaleOf } from './affine.ts';
import { type Agreement, agreementOf } from './block-agreement.ts';
import { type ColourDifference, differenceOfColours } from './colour-difference.ts';
import { BLUR_PX, blur, type ComparedImage } from './compared-image.ts';
import type { ImageFeatures } from './image-features.ts';
import type { Luma } from './image-planes.ts';
import { matchDescriptions } from './match-descriptions.ts';
import { type OpenCv, scoped } from './open-cv.ts';
import { superimpose } from './superimpose.ts';

/** Minimum number of matches that must fit one transformation. */
const LEAST_INLIERS = 8;
const [REPROJECTION_PX, RANSAC_ROUNDS, RANSAC_CONFIDENCE] = [3, 2000, 0.99];
/** Maximum scale of a copy, and maximum ratio between its scales along two axes. */
const LIMITS = { max_scale: 8, max_stretch: 3 };
/** Minimum number of textured blocks for a meaningful result. */
const LEAST_BLOCKS = 4;
/** With fewer textured blocks, the comparison uses the pixels of the finer image. */
const ENOUGH_BLOCKS = 12;
/** Images whose scales differ by less than this factor count as equal in size. */
const ONE_SIZE = 1.05;
/** From this share on, the stretched comparison is conclusive. */
const SURELY = 0.98;
/** Blocks of the halved image that are compared one by one. */
const PARTS = { block_px: 16, cells: 2, agrees: 0.7 };
/**
 * Copies agree almost everywhere, whatever was done to them. Where less than this share agrees, the blocks must correlate more to count: parts of
 * other objects in the same pose often do by 0.7. They need not where half of those that agree correlate by `EQUAL_REST`: an overlay leaves
 * the rest of an image as it was, and other objects are nowhere equal.
 */
const [ALMOST_ALL, EQUAL_REST] = [0.9, 0.97];
const STRICT_PARTS = { ...PARTS, agrees: 0.8 };
/** Width in pixels of the halved image of the edge that does not count. */
const MARGIN_PX = 3;

/**
 * Computes how much of two images agrees after one is aligned with the other.
 * @param isAligned Also tries to stretch one over the other. This needs no corners, of which blurred and plain images have few.
 * @returns 0 … 1; 0 when no alignment is found.
 */
export function compareImages(cv: OpenCv, a: ComparedImage, b: ComparedImage, isAligned: boolean): number {
  const stretched = isAligned ? shareOf(cv, a, b, stretch(a.half, b.half)) : 0;
  if (stretched >= SURELY) return stretched;
  const found = findAffine(cv, a.features, b.features);
  return found ? Math.max(stretched, shareOf(cv, a, b, betweenHalves(found))) : stretched;
}

/** Finds the affine transformation from points of `a` to points of `b`, from matches of their corners (RANSAC: Fischler & Bolles 1981). */
function findAffine(cv: OpenCv, a: ImageFeatures, b: ImageFeatures): Affine | undefined {
  const pairs = matchDescriptions(a.descriptions, b.descriptions);
  if (pairs.length < LEAST_INLIERS) return undefined;
  return scoped((scope) => {
    const pointsOf = ({ points }: ImageFeatures, side: 0 | 1) =>
      scope.own(
        cv.matFromArray(
          pairs.length,
          1,
          cv.CV_32FC2,
          pairs.flatMap((pair) => [points[pair[side] * 2] as number, points[pair[side] * 2 + 1] as number]),
        ),
      );
    const inliers = scope.own(new cv.Mat());
    const found = scope.own(
      cv.estimateAffine2D(
        pointsOf(a, 0),
        pointsOf(b, 1),
        inliers,
        cv.RANSAC,
        REPROJECTION_PX,
        RANSAC_ROUNDS,
        RANSAC_CONFIDENCE,
      ),
    );
    if (found.empty() || cv.countNonZero(inliers) < LEAST_INLIERS) return undefined;
    const [xx = 0, xy = 0, x0 = 0, yx = 0, yy = 0, y0 = 0] = found.data64F;
    const affine: Affine = [xx, xy, x0, yx, yy, y0];
    return isPlausible(affine, LIMITS) ? affine : undefined;
  });
}

function stretch(a: Luma, b: Luma): Affine {
  return [b.width / a.width, 0, 0, 0, b.height / a.height, 0];
}

/** Computes the agreeing share in the pixels of the coarser image, because the other has all the detail that is needed. */
function shareOf(cv: OpenCv, a: ComparedImage, b: ComparedImage, toB: Affine): number {
  const isCoarser = scaleOf(toB) >= 1;
  const [coarse, fine, toFine] = isCoarser ? [a, b, toB] : [b, a, inverse(toB)];
  const found = agreementOn(cv, coarse, fine, toFine);
  const agreement = found.blocks >= ENOUGH_BLOCKS ? found : agreementOn(cv, fine, coarse, inverse(toFine));
  return agreement.blocks >= LEAST_BLOCKS ? agreement.share : 0;
}

/**
 * Computes the agreement in the pixels of `base`.
 * @param toOther Transformation from pixels of `base` to pixels of `other`.
 */
function agreementOn(cv: OpenCv, base: ComparedImage, other: ComparedImage, toOther: Affine): Agreement {
  const scale = scaleOf(toOther);
  const shown = scale <= ONE_SIZE ? other.blurred : blur(cv, other.half, BLUR_PX * scale);
  const { laid, covered } = superimpose(base.half, { ...other.half, data: shown }, toOther, MARGIN_PX);
  uncoverBorders(base, other, toOther, covered);
  let compared: ColourDifference | undefined;
  const colours = () => {
    compared ??= differenceOfColours(base.colours, other.colours, betweenHalves(toOther), PARTS.block_px / 2);
    return compared;
  };
  const agreement = agreementOf(base.blurred, laid, covered, base.half, PARTS, colours);
  return agreement.share >= ALMOST_ALL || agreement.typical >= EQUAL_REST
    ? agreement
    : agreementOf(base.blurred, laid, covered, base.half, STRICT_PARTS, colours);
}

/** Marks pixels as not covered where both images have a border: equal borders say nothing about what they contain. */
function uncoverBorders(base: ComparedImage, other: ComparedImage, toOther: Affine, covered: Uint8Array): void {
  if (!base.border || !other.border) return;
  const [xx, xy, x0, yx, yy, y0] = toOther;
  const { width } = base.half;
  for (let at = 0; at < covered.length; at += 1) {
    if (covered[at] === 0 || base.border[at] === 0) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    const inOther = Math.round(yx * x + yy * y + y0) * other.half.width + Math.round(xx * x + xy * y + x0);
    if (other.border[inOther] === 1) covered[at] = 0;
  }
}
