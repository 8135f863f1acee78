import { findFeatures, type ImageFeatures } from './image-features.ts';
import { matchDescriptions } from './match-descriptions.ts';
import type { OpenCv } from './open-cv.ts';
import type { Luma } from './read-thumbnail.ts';

/** Longest side of an image that is glanced at. */
export const GLANCED_PX = 160;
const DETAIL = { keypoints: 150, levels: 4, step: 1.2, margin: 15 };
/** Of an image with fewer corners nothing can be told. */
const LEAST_CORNERS = 24;
/** Matches that must fit one way of moving, turning and scaling an image, and how well. */
const [LEAST_AGREEING, AGREES_PX] = [6, 4];
/** Corners that are nearer to each other do not say how an image is turned. */
const LEAST_APART_PX = 8;
/** What a copy may be enlarged or shrunk by. */
const MOST_SCALE = 4;

type Match = readonly [a: number, b: number];

/** The strongest corners of a small image: 6 kB. They tell most pairs that show nothing in common without a look at the whole images. */
export function glanceAt(cv: OpenCv, luma: Luma): ImageFeatures {
  return findFeatures(cv, luma, DETAIL);
}

/**
 * Whether two images are worth comparing; always so where one is too plain to tell. Each two matches say how one image would lie on the
 * other, and others must say the same: there are so few that all can be asked, where RANSAC would draw some.
 */
export function mayShowTheSame(a: ImageFeatures, b: ImageFeatures): boolean {
  if (Math.min(a.points.length, b.points.length) / 2 < LEAST_CORNERS) return true;
  const matches = matchDescriptions(a.descriptions, b.descriptions);
  return matches.some((one, at) =>
    matches.slice(at + 1).some((other) => agreeing(a.points, b.points, one, other, matches) >= LEAST_AGREEING),
  );
}

/** Matches that fit where two of them lay `a` on `b`: both points are turned and scaled about the first match's. */
function agreeing(a: Float32Array, b: Float32Array, one: Match, other: Match, matches: readonly Match[]): number {
  const [fromX, fromY] = [x(a, one[0]), y(a, one[0])];
  const [toX, toY] = [x(b, one[1]), y(b, one[1])];
  const [alongX, alongY] = [x(a, other[0]) - fromX, y(a, other[0]) - fromY];
  const [laidX, laidY] = [x(b, other[1]) - toX, y(b, other[1]) - toY];
  const squared = alongX ** 2 + alongY ** 2;
  if (squared < LEAST_APART_PX ** 2) return 0;
  // A turn by an angle and a scale is a product of complex numbers.
  const [real, imaginary] = [(laidX * alongX + laidY * alongY) / squared, (laidY * alongX - laidX * alongY) / squared];
  const scale = Math.hypot(real, imaginary);
  if (scale > MOST_SCALE || scale < 1 / MOST_SCALE) return 0;
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
