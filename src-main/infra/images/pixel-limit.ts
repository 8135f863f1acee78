import { message } from '../../contract/messages.ts';
import { ImageProblem } from './image-problem.ts';

const megapixels = (pixels: number): string => {
  const millions = pixels / 1e6;
  return millions < 10 ? millions.toFixed(1) : String(Math.round(millions));
};

/** Throws a `too_large` problem when an image of the given size is above the limit. */
export function assertWithinLimit(width: number, height: number, pixelLimit: number): void {
  if (width * height <= pixelLimit) return;
  const limit = megapixels(pixelLimit);
  throw new ImageProblem('too_large', message('image_pixels_above_limit', { width, height, limit }));
}
