import type { AnnotationBox } from './annotation-row.ts';

/**
 * A box in whole pixels, cut to the picture.
 * @param width_px, height_px The upright picture's size.
 * @returns Why there is none when nothing of it lies on the picture.
 */
export function toPixelBox(
  box: AnnotationBox,
  unit: 'px' | 'fraction',
  width_px: number,
  height_px: number,
): AnnotationBox | { reason: string } {
  const [across, down] = unit === 'px' ? [1, 1] : [width_px, height_px];
  const left = clamp(Math.round(box.x * across), width_px);
  const top = clamp(Math.round(box.y * down), height_px);
  const right = clamp(Math.round((box.x + box.width) * across), width_px);
  const bottom = clamp(Math.round((box.y + box.height) * down), height_px);
  if (right <= left || bottom <= top)
    return { reason: `the box has no pixel on the picture (${width_px} × ${height_px})` };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function clamp(value: number, highest: number): number {
  return Math.min(highest, Math.max(0, value));
}
