import { type CSSProperties, useEffect, useRef } from 'react';
import { COVER_PX, COVER_SHEET } from '../../src-main/contract/schemas/explore.ts';
import type { CoverPlace } from '../lib/cover-place.ts';
import { useSharedImage } from '../lib/shared-image.ts';
import styles from './Cover.module.css';
import { Thumb } from './Thumb.tsx';

/** From this width in pixels, a cover shows more images. */
const WIDE_TILE_PX = 168;

interface CoverProps {
  place: CoverPlace;
  tilePx: number;
  /** Address of the image to show when that of the cover cannot be loaded. */
  thumbUri?: string | undefined;
}

/**
 * The cover of a cluster or an item: its part of an image that many tiles share. Plain until the image is there. When the address changes,
 * as after new media were added, the previous image stays until the new one is there; so give each cluster or item its own key.
 */
export function Cover({ place: { sheet, nth, count }, tilePx, thumbUri = '' }: CoverProps) {
  const neededPx = tilePx * window.devicePixelRatio;
  const px = COVER_PX.find((side) => side >= neededPx) ?? Math.max(...COVER_PX);
  const src = `${sheet}&n=${tilePx >= WIDE_TILE_PX ? 9 : 4}&px=${px}`;
  const state = useSharedImage(src);
  const previous = useRef<CSSProperties>(undefined);
  const { columns } = COVER_SHEET;
  const rows = Math.ceil(count / columns);
  const shown = {
    backgroundImage: `url("${src}")`,
    backgroundSize: `${columns * 100}% ${rows * 100}%`,
    backgroundPosition: `${shareOf(nth % columns, columns)}% ${shareOf(Math.floor(nth / columns), rows)}%`,
  };
  useEffect(() => {
    if (state === 'shown') previous.current = shown;
  });
  if (state === 'failed') return <Thumb src={thumbUri} />;
  return (
    <span
      className={styles.cover}
      style={state === 'shown' ? shown : previous.current}
      data-testid="cover"
      data-state={state}
    />
  );
}

/** Position of a part among equal parts, as CSS positions a background: 0 for the first, 100 for the last. */
function shareOf(part: number, parts: number): number {
  return parts === 1 ? 0 : (part / (parts - 1)) * 100;
}
