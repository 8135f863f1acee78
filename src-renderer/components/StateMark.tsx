import type { ReactNode } from 'react';
import styles from './StateMark.module.css';

interface StateMarkProps {
  tone: 'quiet' | 'busy' | 'ok' | 'warn' | 'bad';
  testId?: string;
  /** Where there is little room it is the dot alone, and the word is its tooltip. */
  brief?: string | undefined;
  children: ReactNode;
}

/** A state as a dot and a word. */
export function StateMark({ tone, testId, brief, children }: StateMarkProps) {
  return (
    <span className={styles.mark} data-tone={tone} data-testid={testId} title={brief}>
      {brief === undefined ? children : <span className={styles.word}>{children}</span>}
    </span>
  );
}
