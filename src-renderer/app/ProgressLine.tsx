import { useTranslation } from 'react-i18next';
import { ProgressBar } from '../components/Progress.tsx';
import { useHashPath } from '../lib/location.ts';
import { datasetOfPath } from '../lib/routes.ts';
import { useLiveTasks } from '../lib/tasks.ts';
import styles from './ProgressLine.module.css';

/**
 * A progress line under the bar while the open dataset has running tasks (on other screens, while any task runs).
 * Shows the mean of the known percentages, or an indeterminate bar.
 */
export function ProgressLine() {
  const { t } = useTranslation();
  const [path] = useHashPath();
  const datasetId = datasetOfPath(path);
  const tasks = useLiveTasks().filter((task) => datasetId === undefined || task.dataset_id === datasetId);
  if (tasks.length === 0) return null;
  const known = tasks.map((task) => task.progress_percentage).filter((percent) => percent !== null);
  const percent =
    known.length === tasks.length ? Math.round(known.reduce((sum, value) => sum + value, 0) / known.length) : null;
  return (
    <div className={styles.line} data-testid="progress-line">
      <ProgressBar percent={percent} label={t('common.working')} />
    </div>
  );
}
