import styles from './Mosaic.module.css';
import { Thumb } from './Thumb.tsx';

/** How many images each layout holds. */
const LAYOUTS = [1, 2, 3, 4, 6, 9] as const;

interface MosaicProps {
  uris: readonly string[];
  /** At most so many images. */
  max?: number;
}

/** Images edge to edge in one box, 2 px between them; the first is the most typical and the largest where room is uneven. */
export function Mosaic({ uris, max = 4 }: MosaicProps) {
  const layout = LAYOUTS.findLast((size) => size <= Math.min(uris.length, max)) ?? 1;
  const shown = uris.slice(0, layout);
  return (
    <div className={styles.mosaic} data-layout={layout}>
      {shown.length === 0 && <Thumb src="" />}
      {shown.map((uri) => (
        <Thumb key={uri} src={uri} />
      ))}
    </div>
  );
}
