import { type OpenCv, scoped } from './open-cv.ts';
import type { Luma } from './read-thumbnail.ts';

const [CONTRAST_LIMIT, CONTRAST_TILES] = [3, 8];

/** How much of an image is described. */
export interface FeatureDetail {
  /** The strongest at most. */
  keypoints: number;
  /** Sizes in which corners are looked for, each smaller by `step` than the one before. */
  levels: number;
  step: number;
  /** Pixels along each side in which none are looked for. */
  margin: number;
}

/** Corners of an image that are found again after scaling and turning. */
export interface ImageFeatures {
  /** x and y of each, in pixels. */
  points: Float32Array;
  /** 32 bytes of each. */
  descriptions: Uint8Array;
}

/**
 * ORB keypoints (Rublee, Rabaud, Konolige, Bradski, "ORB: an efficient alternative to SIFT or SURF", ICCV 2011) of an image whose contrast
 * was evened out (CLAHE: Zuiderveld, Graphics Gems IV, 1994), so that dark, bright and faded copies have the same ones.
 */
export function findFeatures(
  cv: OpenCv,
  { width, height, data }: Luma,
  { keypoints: most, levels, step, margin }: FeatureDetail,
): ImageFeatures {
  return scoped((scope) => {
    const image = scope.own(cv.matFromArray(height, width, cv.CV_8UC1, data));
    const even = scope.own(new cv.Mat());
    scope.own(new cv.CLAHE(CONTRAST_LIMIT, new cv.Size(CONTRAST_TILES, CONTRAST_TILES))).apply(image, even);
    const keypoints = scope.own(new cv.KeyPointVector());
    const descriptions = scope.own(new cv.Mat());
    const finder = scope.own(new cv.ORB(most, step, levels, margin));
    finder.detectAndCompute(even, scope.own(new cv.Mat()), keypoints, descriptions);
    const points = new Float32Array(keypoints.size() * 2);
    for (let at = 0; at < keypoints.size(); at += 1) {
      const { pt } = keypoints.get(at);
      points[at * 2] = pt.x;
      points[at * 2 + 1] = pt.y;
    }
    return { points, descriptions: descriptions.data.slice() };
  });
}
