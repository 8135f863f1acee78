import { useTranslation } from 'react-i18next';
import { formatScore } from '../lib/format.ts';
import { matchStrength } from '../lib/match-strength.ts';
import styles from './Strength.module.css';

/** Match strength as dots: three for strong, two for partial, one for weak. */
export function Strength({ score }: { score: number }) {
  const { t } = useTranslation();
  const strength = matchStrength(score);
  const text = t('search.strengthHint', { strength: t(`search.strength.${strength}`), score: formatScore(score) });
  return (
    <span
      className={styles.strength}
      role="img"
      aria-label={text}
      title={text}
      data-strength={strength}
      data-testid="strength"
    >
      <i />
      <i />
      <i />
    </span>
  );
}
