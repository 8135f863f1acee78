import { ImageProblem } from './image-problem.ts';

const megapixels = (pixels: number): string => {
  const millions = pixels / 1e6;
  return `${millions < 10 ? millions.toFixed(1) : Math.round(millions)} megapixels`;
};

/** Throws a `too_large` problem when an image of the given size is above the limit. */
export function assertWithinLimit(width: number, height: number, pixelLimit: number): void {
  if (width * height <= pixelLimit) return;
  const size = `${width} × ${height} pixels`;
  throw new ImageProblem('too_large', `The image has ${size}, more than the limit of ${megapixels(pixelLimit)}.`);
}
