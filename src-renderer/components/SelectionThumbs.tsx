import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../lib/format.ts';
import { type Chosen, useSelection } from '../lib/selection.ts';
import styles from './SelectionTray.module.css';
import { Thumb } from './Thumb.tsx';

/** Maximum number of thumbnails. The latest selected parts are shown. */
const SHOWN = 6;

/** Thumbnails of the latest selected items. A click on one deselects it. */
export function SelectionThumbs({ datasetId, chosen }: { datasetId: string; chosen: ReadonlyMap<string, Chosen> }) {
  const { t } = useTranslation();
  const change = useSelection((selection) => selection.change);
  const shown = [...chosen].flatMap(([key, { shown: item, count }]) =>
    item === undefined ? [] : [{ key, item, count }],
  );
  if (shown.length === 0) return null;
  return (
    <span className={styles.thumbs}>
      {shown.slice(-SHOWN).map(({ key, item, count }) => (
        <button
          key={key}
          type="button"
          className={styles.thumb}
          title={t('selection.drop', { name: item.file_name })}
          aria-label={
            count === 1 ? t('selection.drop', { name: item.file_name }) : t('selection.dropCluster', { count })
          }
          disabled={key === ''}
          data-testid="selected-thumb"
          onClick={() => change(datasetId, (all) => all.delete(key))}
        >
          <Thumb src={item.media_thumb_uri} alt="" />
          <span className={styles.drop} aria-hidden="true">
            <X size={14} />
          </span>
        </button>
      ))}
      {shown.length > SHOWN && <span className={styles.more}>+{formatCount(shown.length - SHOWN)}</span>}
    </span>
  );
}
