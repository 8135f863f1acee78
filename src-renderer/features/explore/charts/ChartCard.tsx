import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasFilter, type PlaceFilter } from '../../../lib/filters.ts';
import type { Place } from '../../../lib/routes.ts';
import styles from './Charts.module.css';

/** A row of a chart's table. All of its filters are set by a click. */
export interface ChartRow {
  name: string;
  count: number;
  filters: readonly PlaceFilter[];
}

interface ChartCardProps {
  title: string;
  text?: string | undefined;
  wide?: boolean;
  place: Place;
  rows: readonly ChartRow[];
  onPick(filters: readonly PlaceFilter[]): void;
  /** Choices above the chart. */
  controls?: ReactNode;
  testId: string;
  children: ReactNode;
}

/** A chart with its title, and its numbers as a table of buttons that do the same as a click into the chart. */
export function ChartCard({
  title,
  text,
  wide = false,
  place,
  rows,
  onPick,
  controls,
  testId,
  children,
}: ChartCardProps) {
  const { t } = useTranslation();
  return (
    <section className={styles.card} data-wide={wide} data-testid={testId}>
      <header className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {controls}
      </header>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {rows.length === 0 ? <p className={styles.text}>{t('charts.empty')}</p> : children}
      {rows.length > 0 && (
        <details className={styles.details}>
          <summary>{t('charts.table')}</summary>
          <ul className={styles.rows}>
            {rows.map((row) => (
              <li key={row.name}>
                <button
                  type="button"
                  className={styles.row}
                  aria-pressed={row.filters.every((filter) => hasFilter(place.filters, filter))}
                  onClick={() => onPick(row.filters)}
                  data-testid={`${testId}-row`}
                >
                  <span className={styles.name}>{row.name}</span>
                  <span className={styles.count}>{t('charts.count', { count: row.count })}</span>
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
