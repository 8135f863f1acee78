import type { ReactNode } from 'react';
import styles from './ImageNote.module.css';

/** Says over an image why it is not all that one might expect. */
export function ImageNote({ testId, children }: { testId: string; children: ReactNode }) {
  return (
    <p className={styles.note} role="note" data-testid={testId}>
      {children}
    </p>
  );
}
