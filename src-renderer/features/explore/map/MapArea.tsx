import styles from './MapLayout.module.css';
import type { Area } from './use-map-lasso.ts';
import type { MapFrame } from './use-map-window.ts';

/** The area that is being drawn, or the last one. */
export function MapArea({ frame, area, isOpen }: { frame: MapFrame; area: Area | undefined; isOpen: boolean }) {
  if (area === undefined) return null;
  const points = area.map(([x, y]) => `${(x - frame.left) * frame.scale},${(y - frame.top) * frame.scale}`).join(' ');
  return (
    <svg className={styles.area} aria-hidden="true" data-open={isOpen}>
      <polygon points={points} />
    </svg>
  );
}
