import type { ReactNode } from 'react';
import type { ApiError } from '../../lib/api-error.ts';
import styles from './Section.module.css';

interface SectionProps {
  title: string;
  text: string;
  /** Why its rows could not be had. */
  error?: ApiError | null;
  children: ReactNode;
}

/** One kind of thing that a dataset is made of. */
export function Section({ title, text, error = null, children }: SectionProps) {
  return (
    <section>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{text}</p>
      {error !== null && (
        <p className={styles.error} role="alert">
          {error.detail}
        </p>
      )}
      {children}
    </section>
  );
}
