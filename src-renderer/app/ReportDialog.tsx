import { useTranslation } from 'react-i18next';
import { CopyButton } from '../components/CopyButton.tsx';
import { Dialog } from '../components/Dialog.tsx';
import form from '../components/Form.module.css';
import { useDatasets } from '../lib/datasets.ts';
import { HELP_PAGES } from '../lib/help-pages.ts';
import { useRecentTasks } from '../lib/tasks.ts';
import { useOperation } from '../lib/use-operation.ts';
import styles from './ReportDialog.module.css';

/** Text to copy into a report of a problem. It has no names, paths, addresses or labels. */
export function ReportDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const text = useDiagnostics();
  return (
    <Dialog open onClose={onClose} title={t('report.title')} testId="report-dialog">
      <div className={form.form}>
        <p>{t('report.text')}</p>
        <div className={styles.copied}>
          <textarea
            className={form.textarea}
            aria-label={t('report.diagnostics')}
            readOnly
            rows={9}
            value={text}
            data-testid="diagnostics"
            data-autofocus
          />
          <CopyButton text={text} what={t('report.diagnostics')} />
        </div>
        <p className={form.hint}>
          <a href={HELP_PAGES.reporting} target="_blank" rel="noreferrer" data-testid="report-help">
            {t('report.how')}
          </a>
        </p>
      </div>
    </Dialog>
  );
}

function useDiagnostics(): string {
  const { data: health } = useOperation('healthcheck', {});
  const { data: datasets = [] } = useDatasets();
  const tasks = useRecentTasks();
  const failed = tasks.flatMap(({ task_type, status, end_time, failure }) =>
    status === 'FAILED' ? [`${end_time} ${task_type} ${failure?.code ?? ''}`] : [],
  );
  const { theme } = document.documentElement.dataset;
  return [
    `vitrine: ${health?.version ?? ''}`,
    `page: ${window.vitrine === undefined ? 'browser' : 'desktop'}`,
    `browser: ${navigator.userAgent}`,
    `processors: ${navigator.hardwareConcurrency}`,
    `window: ${window.innerWidth} × ${window.innerHeight}, ${window.devicePixelRatio}, ${theme}`,
    `language: ${document.documentElement.lang}`,
    `datasets: ${datasets.length}`,
    `images: ${datasets.reduce((sum, { n_images }) => sum + n_images, 0)}`,
    `failed tasks: ${failed.length}`,
    ...failed,
  ].join('\n');
}
