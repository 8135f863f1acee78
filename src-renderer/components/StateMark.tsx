import type { ReactNode } from 'react';
import styles from './StateMark.module.css';

interface StateMarkProps {
  tone: 'quiet' | 'busy' | 'ok' | 'warn' | 'bad';
  testId?: string;
  /** On narrow screens shows only the dot, with the word as its tooltip. */
  brief?: string | undefined;
  children: ReactNode;
}

/** A state as a coloured dot and a word. */
export function StateMark({ tone, testId, brief, children }: StateMarkProps) {
  return (
    <span className={styles.mark} data-tone={tone} data-testid={testId} title={brief}>
      {brief === undefined ? children : <span className={styles.word}>{children}</span>}
    </span>
  );
}
