import { type Agreement, agreementOf, BLOCK_PX } from './block-agreement.ts';
import { differingColours } from './colour-change.ts';
import { type Affine, type ColourGrid, sampleColours } from './colour-samples.ts';
import { findFeatures, type ImageFeatures } from './image-features.ts';
import { matchDescriptions } from './match-descriptions.ts';
import { type OpenCv, scoped } from './open-cv.ts';
import type { Luma, Pictured } from './read-thumbnail.ts';

/** Longest side in pixels of compared images: that of thumbnails. Smaller images are enlarged. */
export const COMPARED_PX = 320;
const DETAIL = { keypoints: 400, levels: 8, step: 1.2, margin: 31 };
/** Minimum number of matches that must fit one transformation. */
const LEAST_INLIERS = 8;
const [REPROJECTION_PX, RANSAC_ROUNDS, RANSAC_CONFIDENCE] = [3, 2000, 0.99];
/** Maximum scale of a copy, and maximum ratio between its scales along two axes. */
const [MAX_SCALE, MAX_STRETCH] = [8, 3];
/** Standard deviation, in pixels of the halved image, of the blur that removes differences from compression, sharpening and rounding. */
const BLUR_PX = 1.25;
/** Minimum number of textured blocks for a meaningful result. */
const LEAST_BLOCKS = 4;
/** With fewer textured blocks, the comparison uses the pixels of the finer image. */
const ENOUGH_BLOCKS = 12;

/** Images whose scales differ by less than this factor count as equal in size. */
const ONE_SIZE = 1.05;

/** From this share on, the stretched comparison is conclusive. */
const SURELY = 0.999;

/** Data that is computed once per image for all its comparisons. */
export class ComparedImage {
  readonly luma: Luma;
  /** The image at half size: blurred images contain no more detail at full size. */
  readonly half: Luma;
  readonly blurred: Uint8Array;
  /** Colours at a quarter of the size. */
  readonly colours: ColourGrid;
  readonly #cv: OpenCv;
  #features: ImageFeatures | undefined;

  constructor(cv: OpenCv, { luma, colours }: Pictured) {
    this.#cv = cv;
    this.luma = luma;
    this.colours = colours;
    this.half = halved(luma);
    this.blurred = blur(cv, this.half, BLUR_PX);
  }

  /** Features, computed at first access: copies of equal size need none. */
  get features(): ImageFeatures {
    this.#features ??= findFeatures(this.#cv, this.luma, DETAIL);
    return this.#features;
  }
}

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
    return isPlausible(affine) ? affine : undefined;
  });
}

/** Whether a transformation is plausible: not mirrored, not degenerate and not scaled beyond the limits. */
function isPlausible([xx, xy, , yx, yy]: Affine): boolean {
  const determinant = xx * yy - xy * yx;
  const squares = xx * xx + xy * xy + yx * yx + yy * yy;
  if (!(determinant > 0)) return false;
  // Singular values of the linear part.
  const spread = Math.sqrt(Math.max(0, squares * squares - 4 * determinant * determinant));
  const [largest, smallest] = [Math.sqrt((squares + spread) / 2), Math.sqrt(Math.max(0, (squares - spread) / 2))];
  return largest <= MAX_SCALE && smallest >= 1 / MAX_SCALE && largest <= smallest * MAX_STRETCH;
}

function stretch(a: Luma, b: Luma): Affine {
  return [b.width / a.width, 0, 0, 0, b.height / a.height, 0];
}

/** Converts a transformation to images of half the size: the middle of their pixel x is at 2·x + 0.5 of the full image. */
function betweenHalves([xx, xy, x0, yx, yy, y0]: Affine): Affine {
  return [xx, xy, (x0 + (xx + xy - 1) / 2) / 2, yx, yy, (y0 + (yx + yy - 1) / 2) / 2];
}

/** Computes the agreeing share in the pixels of the coarser image, because the other has all the detail that is needed. */
function shareOf(cv: OpenCv, a: ComparedImage, b: ComparedImage, toB: Affine): number {
  const isCoarser = scaleOf(toB) >= 1;
  const [coarse, fine, toFine] = isCoarser ? [a, b, toB] : [b, a, inverse(toB)];
  const laidOut = layOut(cv, coarse, fine, toFine);
  const agreement = laidOut.blocks >= ENOUGH_BLOCKS ? laidOut : layOut(cv, fine, coarse, inverse(toFine));
  return agreement.blocks >= LEAST_BLOCKS ? agreement.share : 0;
}

/**
 * Aligns `other` with `base`.
 * @param toOther Transformation from pixels of `base` to pixels of `other`.
 */
function layOut(cv: OpenCv, base: ComparedImage, other: ComparedImage, toOther: Affine): Agreement {
  const scale = scaleOf(toOther);
  const shown = scale <= ONE_SIZE ? other.blurred : blur(cv, other.half, BLUR_PX * scale);
  const { laid, covered } = laidOn(base.half, { ...other.half, data: shown }, toOther);
  return agreementOf(base.blurred, laid, covered, base.half, colourDifference(base.colours, other.colours, toOther));
}

/** Returns the share of a block's colours that differ by more than a change of the whole image. */
function colourDifference(base: ColourGrid, other: ColourGrid, toOther: Affine): (left: number, top: number) => number {
  const samples = sampleColours(base, other, betweenHalves(toOther));
  const differs = differingColours(samples);
  const perSide = BLOCK_PX / 2;
  const across = Math.ceil(base.width / perSide);
  const [covered, differing] = [new Uint16Array(across * base.height), new Uint16Array(across * base.height)];
  for (let at = 0; at < samples.count; at += 1) {
    const place = samples.places[at] as number;
    const y = Math.floor(place / base.width);
    const block = Math.floor(y / perSide) * across + Math.floor((place - y * base.width) / perSide);
    covered[block] = (covered[block] as number) + 1;
    differing[block] = (differing[block] as number) + (differs[at] as number);
  }
  return (left, top) => {
    const block = (top / BLOCK_PX) * across + left / BLOCK_PX;
    return (differing[block] ?? 0) / Math.max(1, covered[block] ?? 0);
  };
}

/** Resamples the other image in the pixels of `base` (bilinear), and marks the pixels that it covers. */
function laidOn(base: Luma, { width, height, data }: Luma, [xx, xy, x0, yx, yy, y0]: Affine) {
  const laid = new Uint8Array(base.data.length);
  const covered = new Uint8Array(base.data.length);
  // The innermost loop of all comparisons: uses plain variables, because destructured arrays take three times as long here.
  for (let y = 0; y < base.height; y += 1) {
    for (let x = 0; x < base.width; x += 1) {
      const inX = xx * x + xy * y + x0;
      const inY = yx * x + yy * y + y0;
      if (inX < 0 || inY < 0 || inX > width - 1 || inY > height - 1) continue;
      const left = inX | 0;
      const top = inY | 0;
      const from = top * width + left;
      const right = left + 1 < width ? from + 1 : from;
      const down = top + 1 < height ? width : 0;
      const toRight = inX - left;
      const upper = (data[from] as number) + ((data[right] as number) - (data[from] as number)) * toRight;
      const below = data[from + down] as number;
      const lower = below + ((data[right + down] as number) - below) * toRight;
      laid[y * base.width + x] = (upper + (lower - upper) * (inY - top) + 0.5) | 0;
      covered[y * base.width + x] = 1;
    }
  }
  return { laid, covered };
}

/** Halves an image: each pixel is the mean of four. An odd row or column at the end is omitted. */
function halved({ width, height, data }: Luma): Luma {
  const half = { width: width >> 1, height: height >> 1, data: new Uint8Array((width >> 1) * (height >> 1)) };
  for (let y = 0; y < half.height; y += 1) {
    for (let x = 0; x < half.width; x += 1) {
      const from = 2 * (y * width + x);
      const upper = (data[from] as number) + (data[from + 1] as number);
      const lower = (data[from + width] as number) + (data[from + width + 1] as number);
      half.data[y * half.width + x] = (upper + lower + 2) >> 2;
    }
  }
  return half;
}

function blur(cv: OpenCv, image: Luma, blurPx: number): Uint8Array {
  return scoped((scope) => {
    const target = scope.own(new cv.Mat());
    const source = scope.own(cv.matFromArray(image.height, image.width, cv.CV_8UC1, image.data));
    cv.GaussianBlur(source, target, new cv.Size(0, 0), blurPx);
    return target.data.slice();
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
