import { useTranslation } from 'react-i18next';
import { Slider } from '../../components/Slider.tsx';
import { useThreshold } from '../../lib/granularity.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes, THRESHOLDS } from '../../lib/routes.ts';
import styles from './GranularitySlider.module.css';

/** Granularity of clusters: many small clusters on the left, few large ones on the right. */
export function GranularitySlider({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const threshold = useThreshold(datasetId, place);
  const levels = t('explore.level', { returnObjects: true });
  const change = (value: number) => {
    const next = THRESHOLDS.find((candidate) => candidate === value);
    if (next !== undefined) navigate(routes.explore(datasetId, { ...place, threshold: next }), { replace: true });
  };
  if (threshold === undefined) return null;
  return (
    <div className={styles.granularity}>
      <span aria-hidden="true">{t('explore.finer')}</span>
      <Slider
        label={t('explore.granularity')}
        min={0}
        max={4}
        value={threshold}
        valueText={levels[threshold] ?? ''}
        onChange={change}
        ticks
        width={104}
        testId="granularity"
      />
      <span aria-hidden="true">{t('explore.coarser')}</span>
    </div>
  );
}
