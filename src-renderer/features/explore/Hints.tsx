import { Lightbulb, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { usePreferences } from '../../lib/preferences.ts';
import styles from './DatasetStrip.module.css';
import { Strip } from './DatasetStrip.tsx';

const HINTS = ['open', 'select', 'search'] as const;

/**
 * Three hints for new users, one at a time. Hints that were read or closed are not shown again.
 * @param isGrouped Whether the tiles are clusters.
 */
export function Hints({ isGrouped }: { isGrouped: boolean }) {
  const { t } = useTranslation();
  const { hintsRead, set } = usePreferences();
  const hint = HINTS[hintsRead];
  if (hint === undefined) return null;
  const isLast = hintsRead === HINTS.length - 1;
  return (
    <Strip testId="hint" icon={<Lightbulb size={14} aria-hidden="true" />}>
      <span className={styles.hint}>{t(`hints.${hint === 'open' && !isGrouped ? 'openItem' : hint}`)}</span>
      <span className={styles.percent}>{t('hints.of', { nth: hintsRead + 1, total: HINTS.length })}</span>
      <Button onClick={() => set({ hintsRead: hintsRead + 1 })} data-testid="next-hint">
        {t(isLast ? 'hints.done' : 'hints.next')}
      </Button>
      <IconButton
        label={t('hints.close')}
        icon={<X size={14} />}
        onClick={() => set({ hintsRead: HINTS.length })}
        data-testid="close-hints"
      />
    </Strip>
  );
}
