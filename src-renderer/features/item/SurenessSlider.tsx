import { useTranslation } from 'react-i18next';
import { usePreferences } from '../../lib/preferences.ts';
import styles from './Annotations.module.css';

/** Minimum confidence of the predicted objects that are shown. */
export function SurenessSlider() {
  const { t } = useTranslation();
  const { leastConfidence, set } = usePreferences();
  return (
    <label className={styles.sureness}>
      <span>{t('item.minConfidence')}</span>
      <input
        type="range"
        min={0}
        max={0.95}
        step={0.05}
        value={leastConfidence}
        onChange={(event) => set({ leastConfidence: event.target.valueAsNumber })}
        data-testid="sureness"
      />
      <output>{t('item.percent', { percent: Math.round(leastConfidence * 100) })}</output>
    </label>
  );
}
