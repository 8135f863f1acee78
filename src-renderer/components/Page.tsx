import type { ReactNode } from 'react';
import styles from './Page.module.css';

/** A screen: its bar on top, its content below. `scroll`: the content scrolls as a whole (grids scroll themselves). */
export function Page({ bar, scroll = false, children }: { bar: ReactNode; scroll?: boolean; children: ReactNode }) {
  return (
    <div className={styles.page}>
      {bar}
      <div className={`${styles.content} ${scroll ? styles.scroll : ''}`}>{children}</div>
    </div>
  );
}
