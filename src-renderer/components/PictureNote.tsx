import type { ReactNode } from 'react';
import styles from './PictureNote.module.css';

/** Says over a picture why it is not all that one might expect. */
export function PictureNote({ testId, children }: { testId: string; children: ReactNode }) {
  return (
    <p className={styles.note} role="note" data-testid={testId}>
      {children}
    </p>
  );
}
