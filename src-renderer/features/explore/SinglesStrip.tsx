import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Thumb } from '../../components/Thumb.tsx';
import { useExplore } from '../../lib/explore-source.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import styles from './SinglesStrip.module.css';

/** Maximum number of images that fit on a wide screen. */
const SHOWN = 40;

interface SinglesStripProps {
  datasetId: string;
  place: Place;
  /** Index of the first single in the list of clusters. */
  from: number;
  count: number;
}

/** Items in clusters of one, in a row below the clusters. A button shows all of them as tiles. */
export function SinglesStrip({ datasetId, place, from, count }: SinglesStripProps) {
  const { t } = useTranslation();
  const { at, show } = useExplore(datasetId, place);
  const length = Math.min(SHOWN, count);
  useEffect(() => show(from, from + length - 1), [show, from, length]);
  return (
    <button
      type="button"
      className={styles.strip}
      onClick={() => navigate(routes.explore(datasetId, { ...place, singles: true }), { replace: true })}
      data-testid="singles"
    >
      <span className={styles.words}>
        {t(`explore.singles.${place.type === 'OBJECTS' ? 'OBJECTS' : 'IMAGES'}`, { count })}
      </span>
      <span className={styles.row} aria-hidden="true">
        {Array.from({ length }, (_, nth) => at(from + nth)?.previews[0]).map((item, nth) => (
          <Thumb key={item?.media_id ?? nth} src={item?.media_thumb_uri ?? ''} className={styles.thumb} />
        ))}
      </span>
    </button>
  );
}
