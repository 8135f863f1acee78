import type { ReactNode } from 'react';
import styles from './ImageNote.module.css';

/** A note over an image, such as why only its thumbnail is shown. */
export function ImageNote({ testId, children }: { testId: string; children: ReactNode }) {
  return (
    <p className={styles.note} role="note" data-testid={testId}>
      {children}
    </p>
  );
}
