import { type Message, message } from '../../contract/messages.ts';
import type { AnnotationBox } from './annotation-row.ts';

/**
 * Converts a box to whole pixels, clipped to the image.
 * @param widthPx, height_px Size of the upright image.
 * @returns The box, or the reason why there is none when it is outside the image.
 */
export function toPixelBox(
  box: AnnotationBox,
  unit: 'px' | 'fraction',
  widthPx: number,
  heightPx: number,
): AnnotationBox | { reason: Message } {
  const [across, down] = unit === 'px' ? [1, 1] : [widthPx, heightPx];
  const left = clamp(Math.round(box.x * across), widthPx);
  const top = clamp(Math.round(box.y * down), heightPx);
  const right = clamp(Math.round((box.x + box.width) * across), widthPx);
  const bottom = clamp(Math.round((box.y + box.height) * down), heightPx);
  if (right <= left || bottom <= top) {
    return { reason: message('box_outside_image', { width: widthPx, height: heightPx }) };
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function clamp(value: number, highest: number): number {
  return Math.min(highest, Math.max(0, value));
}
