import type { Luma } from './image-planes.ts';
import { type OpenCv, scoped } from './open-cv.ts';

const [CONTRAST_LIMIT, CONTRAST_TILES] = [3, 8];

/** Level of detail of feature detection. */
export interface FeatureDetail {
  /** Maximum number of keypoints; the strongest are used. */
  keypoints: number;
  /** Number of scales at which corners are searched, each smaller by `step` than the one before. */
  levels: number;
  step: number;
  /** Margin in pixels without keypoints, on each side. */
  margin: number;
}

/** Corners of an image that can be recognised after scaling and rotation. */
export interface ImageFeatures {
  /** x and y of each corner, in pixels. */
  points: Float32Array;
  /** Binary descriptor of each corner, 32 bytes. */
  descriptions: Uint8Array;
}

/**
 * Finds ORB keypoints (Rublee, Rabaud, Konolige, Bradski, "ORB: an efficient alternative to SIFT or SURF", ICCV 2011) in an image with
 * equalised contrast (CLAHE: Zuiderveld, Graphics Gems IV, 1994), so that dark, bright and faded copies have the same ones.
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
