// biome-ignore-all lint/a11y/useFocusableInteractive: the rows are read, not operated
// biome-ignore-all lint/a11y/useSemanticElements: rows of a real table cannot be placed one by one, as virtualising needs
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react';
import { usePreferences } from '../lib/preferences.ts';
import type { Paged } from '../lib/use-paged.ts';
import { Skeleton } from './Skeleton.tsx';
import styles from './VirtualTable.module.css';

export interface Column<T> {
  key: string;
  title: string;
  /** Track of the grid, such as `minmax(0, 2fr)` or `88px`. */
  width: string;
  /** Hidden on narrow screens. */
  onlyWide?: boolean;
  look?: 'plain' | 'quiet' | 'number';
  /** Full text, for cells that may be cut. */
  hint?(row: T): string;
  cell(row: T): ReactNode;
}

interface VirtualTableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: Pick<Paged<T>, 'at' | 'show'>;
  total: number;
  rowTestId: string;
}

/** A table of any length that renders only the visible rows. */
export function VirtualTable<T>({ label, columns, rows, total, rowTestId }: VirtualTableProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const rowPx = usePreferences((state) => (state.density === 'compact' ? 28 : 36));
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
  });
  const shown = virtualizer.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? -1;
  const { show } = rows;
  useEffect(() => {
    if (last >= first) show(first, last);
  }, [first, last, show]);

  return (
    <div className={styles.table} style={tracks(columns)} role="table" aria-label={label} aria-rowcount={total + 1}>
      <div role="rowgroup">
        <div role="row" className={`${styles.row} ${styles.head}`} aria-rowindex={1}>
          {columns.map((column) => (
            <span key={column.key} role="columnheader" className={classOf(column)}>
              {column.title}
            </span>
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key */}
      <div ref={scroller} className={styles.scroller} role="rowgroup" tabIndex={0}>
        <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {shown.map(({ key, index, start }) => (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              className={`${styles.row} ${styles.body}`}
              style={{ height: rowPx, transform: `translateY(${start}px)` }}
              data-testid={rowTestId}
            >
              <Cells row={rows.at(index)} columns={columns} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function Cells<T>({ row, columns }: { row: T | undefined; columns: readonly Column<T>[] }) {
  if (row === undefined) {
    return (
      <span role="cell">
        <Skeleton style={{ height: 14 }} />
      </span>
    );
  }
  return columns.map((column) => (
    <span key={column.key} role="cell" className={classOf(column)} title={column.hint?.(row)}>
      {column.cell(row)}
    </span>
  ));
}

function classOf<T>({ onlyWide, look = 'plain' }: Column<T>): string {
  return [styles.cell, look === 'plain' ? '' : styles[look], onlyWide ? styles.wide : ''].join(' ');
}

function tracks<T>(columns: readonly Column<T>[]): CSSProperties {
  const widths = (some: readonly Column<T>[]) => some.map(({ width }) => width).join(' ');
  return {
    '--columns': widths(columns),
    '--narrow-columns': widths(columns.filter(({ onlyWide }) => !onlyWide)),
  } as CSSProperties;
}
