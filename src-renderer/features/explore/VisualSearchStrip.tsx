import { CircleAlert, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/IconButton.tsx';
import { useVisualSearch } from '../../lib/visual-search.ts';
import styles from './DatasetStrip.module.css';
import { Strip } from './DatasetStrip.tsx';

/** State of a query image: being read, or why it cannot be used. */
export function VisualSearchStrip({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { reading, failure, dismiss } = useVisualSearch();
  if (reading === datasetId) {
    return (
      <Strip testId="visual-search-reading">
        <span className={styles.main}>{t('visual.reading')}</span>
      </Strip>
    );
  }
  if (failure?.datasetId !== datasetId) return null;
  const { detail } = failure.error;
  return (
    <Strip testId="visual-search-failed" icon={<CircleAlert size={14} className={styles.bad} aria-hidden="true" />}>
      <span className={styles.main} role="alert" title={detail}>
        {detail}
      </span>
      <IconButton label={t('strip.dismiss')} icon={<X size={14} />} onClick={dismiss} />
    </Strip>
  );
}
