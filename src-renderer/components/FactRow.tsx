import type { ReactNode } from 'react';
import styles from './FactRow.module.css';

/** One line of a section: what it is about, and what is so or can be set. */
export function FactRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <span className={styles.name}>{name}</span>
      <div className={styles.value}>{children}</div>
    </div>
  );
}
