import type { CSSProperties } from 'react';
import type { Image } from '../../src-main/contract/schemas/image.ts';

type Box = Image['objects'][number]['bounding_box'];

/** CSS position of a box (in pixels of the upright image) in an element that the image fills. */
export function placeOfBox({ x, y, width, height }: Box, widthPx: number, heightPx: number): CSSProperties {
  const share = (part: number, whole: number) => `${(100 * part) / whole}%`;
  return {
    left: share(x, widthPx),
    top: share(y, heightPx),
    width: share(width, widthPx),
    height: share(height, heightPx),
  };
}
