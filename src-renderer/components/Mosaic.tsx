import styles from './Mosaic.module.css';
import { Thumb } from './Thumb.tsx';

/** Number of images in each layout. */
const LAYOUTS = [1, 2, 3, 4, 6, 9] as const;

interface MosaicProps {
  uris: readonly string[];
  /** Maximum number of images. */
  max?: number;
  /** See {@link Thumb}. */
  lazy?: boolean;
}

/** Images edge to edge in one box with 2 px gaps. The first is the most typical and gets the largest cell. */
export function Mosaic({ uris, max = 4, lazy = false }: MosaicProps) {
  const layout = LAYOUTS.findLast((size) => size <= Math.min(uris.length, max)) ?? 1;
  const shown = uris.slice(0, layout);
  return (
    <div className={styles.mosaic} data-layout={layout}>
      {shown.length === 0 && <Thumb src="" />}
      {shown.map((uri) => (
        <Thumb key={uri} src={uri} lazy={lazy} />
      ))}
    </div>
  );
}
