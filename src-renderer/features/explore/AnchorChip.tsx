import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Thumb } from '../../components/Thumb.tsx';
import { Tooltip } from '../../components/Tooltip.tsx';
import { navigate, useHashPath } from '../../lib/location.ts';
import { routes, type Threshold } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './AnchorChip.module.css';

interface AnchorChipProps {
  datasetId: string;
  /** Media id of the picture that results are like. */
  anchor: string;
  threshold: Threshold;
}

/** The picture that was searched with, and the way out of the search. */
export function AnchorChip({ datasetId, anchor, threshold }: AnchorChipProps) {
  const { t } = useTranslation();
  const { data: image } = useOperation(
    'get_dataset_image',
    { dataset_id: datasetId, image_id: anchor },
    { retry: false },
  );
  return (
    <span className={styles.chip} data-testid="anchor-chip">
      <span className={styles.label}>{t('explore.similarTo')}</span>
      <a
        className={styles.picture}
        href={useHashPath.hrefs(routes.item(datasetId, anchor, { threshold }))}
        title={image?.file_name}
        aria-label={image?.file_name ?? t('explore.similarTo')}
      >
        <Thumb src={image?.media_thumb_uri ?? ''} />
      </a>
      <span className={styles.name}>{image?.file_name}</span>
      <Tooltip text={t('explore.clearAnchor')} shortcut="Esc">
        <button
          type="button"
          className={styles.clear}
          aria-label={t('explore.clearAnchor')}
          data-testid="clear-anchor"
          onClick={() => navigate(routes.explore(datasetId, { threshold }))}
        >
          <X size={14} />
        </button>
      </Tooltip>
    </span>
  );
}
