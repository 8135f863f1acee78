import { useTranslation } from 'react-i18next';
import { ProgressBar } from '../components/Progress.tsx';
import { useLiveTasks } from '../lib/tasks.ts';
import styles from './ProgressLine.module.css';

/** Runs under the bar while anything works: the mean of what is known, or only that there is work. */
export function ProgressLine() {
  const { t } = useTranslation();
  const tasks = useLiveTasks();
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
