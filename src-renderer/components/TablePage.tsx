import type { ReactNode } from 'react';
import { Skeleton } from './Skeleton.tsx';
import styles from './TablePage.module.css';

const SKELETON_ROWS = [...Array(12).keys()];

interface TablePageProps {
  testId: string;
  above?: ReactNode;
  note: string;
  /** Undefined until the length of the table is known. */
  table: ReactNode | undefined;
}

/** A page with one table: its bar, a note, and the table once its length is known. */
export function TablePage({ testId, above, note, table }: TablePageProps) {
  return (
    <div className={styles.page} data-testid={testId}>
      {above}
      <p className={styles.note}>{note}</p>
      {table ?? (
        <div className={styles.skeletons}>
          {SKELETON_ROWS.map((row) => (
            <Skeleton key={row} style={{ height: 32 }} />
          ))}
        </div>
      )}
    </div>
  );
}
