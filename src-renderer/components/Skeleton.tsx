import type { CSSProperties } from 'react';
import styles from './Skeleton.module.css';

/** A placeholder of the size of the content. Invisible for the first 300 ms. */
export function Skeleton({ style, className }: { style?: CSSProperties; className?: string }) {
  return (
    <span aria-hidden="true" data-testid="skeleton" className={`${styles.skeleton} ${className ?? ''}`} style={style} />
  );
}
