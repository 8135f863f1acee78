import type { ReactNode } from 'react';
import styles from './Column.module.css';

/** Sections of a scrolling page in one column of readable width. */
export function Column({ testId, children }: { testId?: string; children: ReactNode }) {
  return (
    <div className={styles.column} data-testid={testId}>
      {children}
    </div>
  );
}
