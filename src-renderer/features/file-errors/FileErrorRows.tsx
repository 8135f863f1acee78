// biome-ignore-all lint/a11y/useFocusableInteractive: the rows are read, not operated
// biome-ignore-all lint/a11y/useSemanticElements: rows of a real table cannot be placed one by one, as virtualising needs
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileError } from '../../../src-main/contract/schemas/dataset.ts';
import { Skeleton } from '../../components/Skeleton.tsx';
import { formatBytes } from '../../lib/format.ts';
import { usePreferences } from '../../lib/preferences.ts';
import type { Paged } from '../../lib/use-paged.ts';
import styles from './FileErrorRows.module.css';

/** A table of which only the rows on screen exist. */
export function FileErrorRows({ errors, total }: { errors: Paged<FileError>; total: number }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const rowPx = usePreferences((state) => (state.density === 'compact' ? 28 : 36));
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
  });
  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? -1;
  const { show } = errors;
  useEffect(() => {
    if (last >= first) show(first, last);
  }, [first, last, show]);

  return (
    <div className={styles.table} role="table" aria-label={t('fileErrors.list')} aria-rowcount={total + 1}>
      <div role="rowgroup">
        <div role="row" className={`${styles.row} ${styles.head}`} aria-rowindex={1}>
          <span role="columnheader">{t('fileErrors.path')}</span>
          <span role="columnheader">{t('fileErrors.reason')}</span>
          <span role="columnheader" className={styles.size}>
            {t('fileErrors.size')}
          </span>
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key */}
      <div ref={scroller} className={styles.scroller} role="rowgroup" tabIndex={0}>
        <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {rows.map((row) => (
            <div
              key={row.key}
              role="row"
              aria-rowindex={row.index + 2}
              className={`${styles.row} ${styles.body}`}
              style={{ height: rowPx, transform: `translateY(${row.start}px)` }}
              data-testid="file-error-row"
            >
              <Cells error={errors.at(row.index)} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function Cells({ error }: { error: FileError | undefined }) {
  const { t } = useTranslation();
  if (error === undefined) {
    return (
      <span role="cell">
        <Skeleton style={{ height: 14 }} />
      </span>
    );
  }
  const folder = error.file_path.slice(0, Math.max(0, error.file_path.length - error.file_name.length));
  return (
    <>
      <span role="cell" className={styles.path} title={error.file_path}>
        <span className={styles.folder}>{folder}</span>
        <span className={styles.name}>{error.file_name}</span>
      </span>
      <span role="cell" className={styles.reason} title={error.reason}>
        <span className={styles.kind}>{t(`fileErrors.kind.${error.kind}`)}</span>
        {error.reason}
      </span>
      <span role="cell" className={styles.size}>
        {error.size_bytes === null ? '' : formatBytes(error.size_bytes)}
      </span>
    </>
  );
}
