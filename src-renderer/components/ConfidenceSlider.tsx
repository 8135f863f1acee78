import { useTranslation } from 'react-i18next';
import { usePreferences } from '../lib/preferences.ts';
import styles from './ConfidenceSlider.module.css';

interface ConfidenceSliderProps {
  /** The preference that it sets. */
  of: 'minConfidence' | 'labelConfidence';
  min?: number;
}

/** Minimum confidence of the predicted objects or labels that are shown. */
export function ConfidenceSlider({ of, min = 0 }: ConfidenceSliderProps) {
  const { t } = useTranslation();
  const { [of]: confidence, set } = usePreferences();
  return (
    <label className={styles.minConfidence}>
      <span>{t('item.minConfidence')}</span>
      <input
        type="range"
        min={min}
        max={0.95}
        step={0.05}
        value={confidence}
        onChange={(event) => set({ [of]: event.target.valueAsNumber })}
        data-testid={of === 'minConfidence' ? 'min-confidence' : 'label-confidence'}
      />
      <output>{t('item.percent', { percent: Math.round(confidence * 100) })}</output>
    </label>
  );
}
