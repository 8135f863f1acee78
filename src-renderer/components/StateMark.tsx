import type { ReactNode } from 'react';
import styles from './StateMark.module.css';

interface StateMarkProps {
  tone: 'quiet' | 'busy' | 'ok' | 'warn' | 'bad';
  testId?: string;
  children: ReactNode;
}

/** A state as a dot and a word. */
export function StateMark({ tone, testId, children }: StateMarkProps) {
  return (
    <span className={styles.mark} data-tone={tone} data-testid={testId}>
      {children}
    </span>
  );
}
