import { Image } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { TILE_WIDTH_PX, usePreferences } from '../lib/preferences.ts';
import { Slider } from './Slider.tsx';
import styles from './TileSizeSlider.module.css';

export function TileSizeSlider() {
  const { t } = useTranslation();
  const { tileWidthPx, set } = usePreferences();
  return (
    <div className={styles.size} title={t('explore.tileSize')}>
      <Image size={12} aria-hidden="true" />
      <Slider
        label={t('explore.tileSize')}
        min={TILE_WIDTH_PX.min}
        max={TILE_WIDTH_PX.max}
        step={8}
        value={tileWidthPx}
        onChange={(width) => set({ tileWidthPx: width })}
        width={80}
        testId="tile-size"
      />
      <Image size={16} aria-hidden="true" />
    </div>
  );
}
