import styles from './GridSkeleton.module.css';
import { Skeleton } from './Skeleton.tsx';

const TILES = [...Array(60).keys()];

/** Placeholder tiles of the size that the grid will have. */
export function GridSkeleton({ minTilePx, gapPx }: { minTilePx: number; gapPx: number }) {
  return (
    <div
      className={styles.grid}
      style={{ gridTemplateColumns: `repeat(auto-fill, minmax(${minTilePx}px, 1fr))`, gap: gapPx }}
      aria-busy="true"
    >
      {TILES.map((tile) => (
        <Skeleton key={tile} className={styles.tile ?? ''} />
      ))}
    </div>
  );
}
