import { type OpenCv, scoped } from './open-cv.ts';
import type { Luma } from './read-thumbnail.ts';

/** Keypoints of an image at most. */
const MOST_KEYPOINTS = 400;
const [CONTRAST_LIMIT, CONTRAST_TILES] = [3, 8];

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
export function findFeatures(cv: OpenCv, { width, height, data }: Luma): ImageFeatures {
  return scoped((scope) => {
    const image = scope.own(cv.matFromArray(height, width, cv.CV_8UC1, data));
    const even = scope.own(new cv.Mat());
    scope.own(new cv.CLAHE(CONTRAST_LIMIT, new cv.Size(CONTRAST_TILES, CONTRAST_TILES))).apply(image, even);
    const keypoints = scope.own(new cv.KeyPointVector());
    const descriptions = scope.own(new cv.Mat());
    scope.own(new cv.ORB(MOST_KEYPOINTS)).detectAndCompute(even, scope.own(new cv.Mat()), keypoints, descriptions);
    const points = new Float32Array(keypoints.size() * 2);
    for (let at = 0; at < keypoints.size(); at += 1) {
      const { pt } = keypoints.get(at);
      points[at * 2] = pt.x;
      points[at * 2 + 1] = pt.y;
    }
    return { points, descriptions: descriptions.data.slice() };
  });
}
