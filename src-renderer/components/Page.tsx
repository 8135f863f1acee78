import type { ReactNode } from 'react';
import styles from './Page.module.css';

interface PageProps {
  bar: ReactNode;
  /** The content scrolls as a whole. Grids scroll themselves. */
  scroll?: boolean;
  /** The scrolling content has no focusable element, so the container takes the focus and can be scrolled by keys. */
  focusable?: boolean;
  children: ReactNode;
}

/** A screen: its bar on top, its content below. */
export function Page({ bar, scroll = false, focusable = false, children }: PageProps) {
  return (
    <div className={styles.page}>
      {bar}
      <div className={`${styles.content} ${scroll ? styles.scroll : ''}`} tabIndex={focusable ? 0 : undefined}>
        {children}
      </div>
    </div>
  );
}
