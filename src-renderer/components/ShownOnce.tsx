import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './CopyButton.tsx';
import styles from './ShownOnce.module.css';

interface ShownOnceProps {
  /** Purpose of the secret, and that it is not shown again. */
  text: string;
  facts: readonly { name: string; value: string; testId: string }[];
  /** Dismisses the secret, if the surrounding dialog does not. */
  children?: ReactNode;
}

/** A secret that is shown once, with a copy button. */
export function ShownOnce({ text, facts, children }: ShownOnceProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.box} role="status" aria-label={t('common.secret')} data-testid="shown-once">
      <p>{text}</p>
      <dl className={styles.facts}>
        {facts.map(({ name, value, testId }) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>
              <code data-testid={testId}>{value}</code>
              <CopyButton text={value} what={name} />
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </div>
  );
}
