import type { ReactNode } from 'react';
import styles from './FactRow.module.css';

/** One row of a section: a name, and its value or control. */
export function FactRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <span className={styles.name}>{name}</span>
      <div className={styles.value}>{children}</div>
    </div>
  );
}
