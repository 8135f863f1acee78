import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Thumb } from '../../components/Thumb.tsx';
import { useExplore } from '../../lib/explore-source.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import styles from './SinglesStrip.module.css';

/** As many as fit on a wide screen. */
const SHOWN = 40;

interface SinglesStripProps {
  datasetId: string;
  place: Place;
  /** Where they begin in the list of clusters. */
  from: number;
  count: number;
}

/** What is alone in its cluster, in one row under the others; all of it as tiles when one asks for them. */
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
