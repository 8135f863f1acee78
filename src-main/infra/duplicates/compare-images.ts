import { agreementOf } from './block-agreement.ts';
import { DESCRIPTION_BYTES, type ImageFeatures } from './image-features.ts';
import { type OpenCv, scoped } from './open-cv.ts';
import type { Luma } from './read-thumbnail.ts';

/** A match counts when the second best is so much worse (Lowe, IJCV 60(2), 2004, section 7.1). */
const RATIO = 0.85;
/** Matches that must fit one way of laying an image on the other. */
const LEAST_INLIERS = 8;
const [REPROJECTION_PX, RANSAC_ROUNDS, RANSAC_CONFIDENCE] = [3, 2000, 0.99];
/** What a copy may be enlarged or shrunk by, and how unevenly. */
const [MOST_SCALE, MOST_STRETCH] = [8, 3];
/** Standard deviation of the blur that forgives what compression, sharpening and rounding do. */
const BLUR_PX = 2.5;
/** Fewer textured blocks say nothing. */
const LEAST_BLOCKS = 4;
/** With fewer, the finer of the two images is what is laid out. */
const ENOUGH_BLOCKS = 12;

/** x' = xx·x + xy·y + x0, y' = yx·x + yy·y + y0. */
type Affine = readonly [xx: number, xy: number, x0: number, yx: number, yy: number, y0: number];

export interface ComparedImage {
  luma: Luma;
  features: ImageFeatures;
}

/**
 * How much of two images agrees when one is laid on the other.
 * @param isAligned Also tries to stretch one over the other, which needs no corners: blurred and plain images have few.
 * @returns 0 … 1; 0 where nothing lays one on the other.
 */
export function compareImages(cv: OpenCv, a: ComparedImage, b: ComparedImage, isAligned: boolean): number {
  const found = findAffine(cv, a.features, b.features);
  const ways = [...(found ? [found] : []), ...(isAligned ? [stretch(a.luma, b.luma)] : [])];
  return ways.reduce((best, way) => Math.max(best, shareOf(cv, a.luma, b.luma, way)), 0);
}

/** What maps points of `a` to those of `b`, from matches of their corners (RANSAC: Fischler & Bolles 1981). */
function findAffine(cv: OpenCv, a: ImageFeatures, b: ImageFeatures): Affine | undefined {
  const pairs = matchFeatures(cv, a, b);
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
    return isPlausible(affine) ? affine : undefined;
  });
}

/** Numbers of corners that belong together, each corner of `b` once. */
function matchFeatures(cv: OpenCv, a: ImageFeatures, b: ImageFeatures): (readonly [a: number, b: number])[] {
  if (a.points.length < LEAST_INLIERS * 2 || b.points.length < LEAST_INLIERS * 2) return [];
  return scoped((scope) => {
    const matOf = ({ descriptions }: ImageFeatures) =>
      scope.own(cv.matFromArray(descriptions.length / DESCRIPTION_BYTES, DESCRIPTION_BYTES, cv.CV_8UC1, descriptions));
    const matches = scope.own(new cv.DMatchVectorVector());
    scope.own(new cv.BFMatcher(cv.NORM_HAMMING, false)).knnMatch(matOf(a), matOf(b), matches, 2);
    const best = new Map<number, { from: number; distance: number }>();
    for (let at = 0; at < matches.size(); at += 1) {
      const two = scope.own(matches.get(at));
      if (two.size() < 2) continue;
      const [first, second] = [two.get(0), two.get(1)];
      if (first.distance >= second.distance * RATIO) continue;
      const known = best.get(first.trainIdx);
      if (!known || first.distance < known.distance) {
        best.set(first.trainIdx, { from: first.queryIdx, distance: first.distance });
      }
    }
    return Array.from(best, ([to, { from }]) => [from, to] as const);
  });
}

/** No copy is turned inside out, pressed flat or blown up beyond sense. */
function isPlausible([xx, xy, , yx, yy]: Affine): boolean {
  const determinant = xx * yy - xy * yx;
  const squares = xx * xx + xy * xy + yx * yx + yy * yy;
  if (!(determinant > 0)) return false;
  // Singular values of the linear part.
  const spread = Math.sqrt(Math.max(0, squares * squares - 4 * determinant * determinant));
  const [largest, smallest] = [Math.sqrt((squares + spread) / 2), Math.sqrt(Math.max(0, (squares - spread) / 2))];
  return largest <= MOST_SCALE && smallest >= 1 / MOST_SCALE && largest <= smallest * MOST_STRETCH;
}

function stretch(a: Luma, b: Luma): Affine {
  return [b.width / a.width, 0, 0, 0, b.height / a.height, 0];
}

/** The share that agrees, laid out in the coarser of the two images: the other has all detail that is needed. */
function shareOf(cv: OpenCv, a: Luma, b: Luma, toB: Affine): number {
  const isCoarser = scaleOf(toB) >= 1;
  const [coarse, fine, toFine] = isCoarser ? [a, b, toB] : [b, a, inverse(toB)];
  const laidOut = layOut(cv, coarse, fine, toFine);
  const agreement = laidOut.blocks >= ENOUGH_BLOCKS ? laidOut : layOut(cv, fine, coarse, inverse(toFine));
  return agreement.blocks >= LEAST_BLOCKS ? agreement.share : 0;
}

/** Lays `other` on `base`. @param toOther Where a pixel of `base` is in the other. */
function layOut(cv: OpenCv, base: Luma, other: Luma, toOther: Affine) {
  return scoped((scope) => {
    const matOf = ({ width, height, data }: Luma) => scope.own(cv.matFromArray(height, width, cv.CV_8UC1, data));
    const blurred = (image: Luma, blurPx: number) => {
      const target = scope.own(new cv.Mat());
      cv.GaussianBlur(matOf(image), target, new cv.Size(0, 0), blurPx);
      return target;
    };
    const map = scope.own(cv.matFromArray(2, 3, cv.CV_64F, [...toOther]));
    const size = new cv.Size(base.width, base.height);
    const laid = (image: ReturnType<typeof matOf>, interpolation: number) => {
      const target = scope.own(new cv.Mat());
      cv.warpAffine(
        image,
        target,
        map,
        size,
        interpolation | cv.WARP_INVERSE_MAP,
        cv.BORDER_CONSTANT,
        new cv.Scalar(0),
      );
      return target.data;
    };
    const everywhere = new Uint8Array(other.data.length).fill(255);
    return agreementOf(
      blurred(base, BLUR_PX).data,
      laid(blurred(other, BLUR_PX * Math.max(1, scaleOf(toOther))), cv.INTER_LINEAR),
      laid(matOf({ ...other, data: everywhere }), cv.INTER_NEAREST),
      base,
    );
  });
}

function scaleOf([xx, xy, , yx, yy]: Affine): number {
  return Math.sqrt(Math.abs(xx * yy - xy * yx));
}

function inverse([xx, xy, x0, yx, yy, y0]: Affine): Affine {
  const determinant = xx * yy - xy * yx;
  const [a, b, c, d] = [yy / determinant, -xy / determinant, -yx / determinant, xx / determinant];
  return [a, b, -(a * x0 + b * y0), c, d, -(c * x0 + d * y0)];
}
