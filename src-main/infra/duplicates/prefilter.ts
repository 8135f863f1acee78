import type { WorkingImage } from '../images/decode-image.ts';
import { isSmall } from './compared-image.ts';
import { findFeatures, type ImageFeatures } from './image-features.ts';
import { lumaOf } from './image-planes.ts';
import { matchDescriptions } from './match-descriptions.ts';
import type { OpenCv } from './open-cv.ts';

/** Longest side in pixels of an image in the prefilter. */
export const PREFILTER_PX = 160;
/** Maximum number of corners. */
export const PREFILTER_CORNERS = 150;
const DETAIL = { keypoints: PREFILTER_CORNERS, levels: 4, step: 1.2, margin: 15 };
/** Minimum number of corners for a decision. */
const LEAST_CORNERS = 24;
/** Minimum number of matches that must fit one similarity transformation, and their maximum error in pixels. */
const [LEAST_AGREEING, AGREES_PX] = [6, 4];
/** Minimum distance in pixels between two corners that determine a rotation. */
const LEAST_APART_PX = 8;
/** Maximum scale of a copy. */
const MAX_SCALE = 4;

type Match = readonly [a: number, b: number];

/**
 * Finds the strongest corners of an image at the size of the prefilter: 6 kB. They rule out most pairs without a comparison of the full
 * images. Small images have none: they are compared without the prefilter.
 */
export function findPrefilterFeatures(cv: OpenCv, pixels: WorkingImage): ImageFeatures {
  if (isSmall(pixels)) return { points: new Float32Array(), descriptions: new Uint8Array() };
  return findFeatures(cv, lumaOf(pixels), DETAIL);
}

/**
 * Whether two images are worth comparing; always true when one has too few corners. Each pair of matches determines a transformation, which
 * further matches must confirm. Matches are so few that all pairs are tried, where RANSAC would sample.
 */
export function mayShowTheSame(a: ImageFeatures, b: ImageFeatures): boolean {
  if (Math.min(a.points.length, b.points.length) / 2 < LEAST_CORNERS) return true;
  const matches = matchDescriptions(a.descriptions, b.descriptions);
  return matches.some((one, at) =>
    matches.slice(at + 1).some((other) => agreeing(a.points, b.points, one, other, matches) >= LEAST_AGREEING),
  );
}

/**
 * Counts the matches that fit the transformation from `a` to `b` that two matches determine: points are turned and scaled about the first
 * match.
 */
function agreeing(a: Float32Array, b: Float32Array, one: Match, other: Match, matches: readonly Match[]): number {
  const [fromX, fromY] = [x(a, one[0]), y(a, one[0])];
  const [toX, toY] = [x(b, one[1]), y(b, one[1])];
  const [alongX, alongY] = [x(a, other[0]) - fromX, y(a, other[0]) - fromY];
  const [laidX, laidY] = [x(b, other[1]) - toX, y(b, other[1]) - toY];
  const squared = alongX ** 2 + alongY ** 2;
  if (squared < LEAST_APART_PX ** 2) return 0;
  // A rotation with scaling is a product of complex numbers.
  const [real, imaginary] = [(laidX * alongX + laidY * alongY) / squared, (laidY * alongX - laidX * alongY) / squared];
  const scale = Math.hypot(real, imaginary);
  if (scale > MAX_SCALE || scale < 1 / MAX_SCALE) return 0;
  let n = 0;
  for (const [inA, inB] of matches) {
    const [fromOneX, fromOneY] = [x(a, inA) - fromX, y(a, inA) - fromY];
    const offX = toX + real * fromOneX - imaginary * fromOneY - x(b, inB);
    const offY = toY + imaginary * fromOneX + real * fromOneY - y(b, inB);
    if (offX ** 2 + offY ** 2 <= AGREES_PX ** 2) n += 1;
  }
  return n;
}

function x(points: Float32Array, nth: number): number {
  return points[nth * 2] as number;
}

function y(points: Float32Array, nth: number): number {
  return points[nth * 2 + 1] as number;
}
