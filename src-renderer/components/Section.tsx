import type { ReactNode } from 'react';
import type { ApiError } from '../lib/api-error.ts';
import styles from './Section.module.css';

interface SectionProps {
  title: string;
  text?: string | undefined;
  /** Why its rows could not be loaded. */
  error?: ApiError | null;
  testId?: string;
  children: ReactNode;
}

/** A section of a scrolling page: title, short description and rows. */
export function Section({ title, text, error = null, testId, children }: SectionProps) {
  return (
    <section data-testid={testId}>
      <h2 className={styles.title}>{title}</h2>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {error !== null && (
        <p className={styles.error} role="alert">
          {error.detail}
        </p>
      )}
      {children}
    </section>
  );
}
