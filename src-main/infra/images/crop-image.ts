import type { PixelBox } from '../../core/ports/image.ts';
import type { WorkingImage } from './decode-image.ts';

/** Length in pixels of a crop's longest side after decoding, where the image has that many. */
const CROP_PX = 320;
/** Returns the scale, relative to the image's own size, at which an image must be decoded to show a box well. */
export function scaleToShow(box: PixelBox): number {
  return Math.min(1, CROP_PX / Math.max(1, box.width, box.height));
}

/**
 * Cuts a box out of a decoded image; a box that touches the image yields at least one pixel.
 * @param box Box in pixels of the upright image at its own size, not at the decoded size.
 */
export function cropImage(
  working: WorkingImage,
  image: { width: number; height: number },
  box: PixelBox,
): WorkingImage {
  const [across, down] = [working.width / image.width, working.height / image.height];
  const left = clamp(Math.floor(box.x * across), 0, working.width - 1);
  const top = clamp(Math.floor(box.y * down), 0, working.height - 1);
  const width = clamp(Math.ceil((box.x + box.width) * across), left + 1, working.width) - left;
  const height = clamp(Math.ceil((box.y + box.height) * down), top + 1, working.height) - top;
  const data = Buffer.allocUnsafe(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const from = ((top + y) * working.width + left) * 3;
    working.data.copy(data, y * width * 3, from, from + width * 3);
  }
  return { data, width, height };
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value));
}
