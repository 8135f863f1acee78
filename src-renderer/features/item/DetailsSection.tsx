import type { ReactNode } from 'react';
import styles from './Details.module.css';

interface DetailsSectionProps {
  title: string;
  /** Count beside the title. */
  count?: number;
  /** Text at the end of the title's line. */
  aside?: string | undefined;
  testId?: string;
  children: ReactNode;
}

/** One group of an image's details. */
export function DetailsSection({ title, count, aside, testId, children }: DetailsSectionProps) {
  return (
    <section className={styles.section} data-testid={testId}>
      <h2 className={styles.title}>
        {title}
        {count !== undefined && <span className={styles.count}>{count}</span>}
        {aside !== undefined && <span className={styles.common}>{aside}</span>}
      </h2>
      {children}
    </section>
  );
}
