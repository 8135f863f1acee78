import type { ReactNode } from 'react';
import styles from './Column.module.css';

/** Sections of a page that scrolls, one below the other, no wider than one reads. */
export function Column({ testId, children }: { testId?: string; children: ReactNode }) {
  return (
    <div className={styles.column} data-testid={testId}>
      {children}
    </div>
  );
}
