import { useTranslation } from 'react-i18next';
import { usePreferences } from '../../lib/preferences.ts';
import styles from './Annotations.module.css';

/** Minimum confidence of the predicted objects that are shown. */
export function ConfidenceSlider() {
  const { t } = useTranslation();
  const { minConfidence, set } = usePreferences();
  return (
    <label className={styles.minConfidence}>
      <span>{t('item.minConfidence')}</span>
      <input
        type="range"
        min={0}
        max={0.95}
        step={0.05}
        value={minConfidence}
        onChange={(event) => set({ minConfidence: event.target.valueAsNumber })}
        data-testid="min-confidence"
      />
      <output>{t('item.percent', { percent: Math.round(minConfidence * 100) })}</output>
    </label>
  );
}
