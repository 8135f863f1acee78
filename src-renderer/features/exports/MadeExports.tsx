import { Download, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ExportTask } from '../../../src-main/contract/schemas/export.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { ProgressBar } from '../../components/Progress.tsx';
import { formatBytes, formatDateTime } from '../../lib/format.ts';
import { useTaskActions } from '../../lib/task-actions.ts';
import styles from './MadeExports.module.css';
import { isUnderWay, useExports } from './use-exports.ts';

/** The exports of a dataset: finished ones can be downloaded, running ones stopped. */
export function MadeExports({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const made = useExports(datasetId);
  if (made === undefined || made.length === 0) return null;
  return (
    <section className={styles.made} aria-label={t('exports.made')}>
      <h3 className={styles.title}>{t('exports.made')}</h3>
      <ul className={styles.list}>
        {made.map((one) => (
          <MadeExport key={one.id} one={one} />
        ))}
      </ul>
    </section>
  );
}

function MadeExport({ one }: { one: ExportTask }) {
  const { t } = useTranslation();
  const { abort } = useTaskActions();
  const facts = [
    t(`exports.formats.${one.export_format}`),
    ...(one.status === 'COMPLETED' ? [t('common.items', { count: one.entities_count })] : []),
    ...(one.size_bytes === null ? [] : [formatBytes(one.size_bytes)]),
    ...(one.status === 'COMPLETED' ? [t('exports.until', { time: formatDateTime(one.expires_at) })] : []),
    ...(one.is_stopped ? [t('exports.stopped')] : []),
  ];
  return (
    <li className={styles.row} data-testid="export" data-status={one.status}>
      <div className={styles.text}>
        <span className={styles.name} title={one.file_name}>
          {one.file_name}
        </span>
        <span className={styles.facts}>{facts.join(' · ')}</span>
        {isUnderWay(one) && (
          <ProgressBar percent={one.status === 'INIT' ? null : one.progress} label={t('exports.exporting')} />
        )}
        {(one.status === 'FAILED' || one.status === 'REJECTED') && !one.is_stopped && (
          <span className={styles.problem} role="alert">
            {one.result_message}
          </span>
        )}
      </div>
      {one.download_uri !== null && (
        <a
          className={styles.fetch}
          href={one.download_uri}
          target="_blank"
          rel="noopener noreferrer"
          data-testid="download"
        >
          <Download size={14} />
          {t('exports.download')}
        </a>
      )}
      {isUnderWay(one) && (
        <IconButton label={t('exports.stop')} icon={<X size={14} />} onClick={() => abort.mutate(one.id)} />
      )}
    </li>
  );
}
