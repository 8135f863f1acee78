import { useTranslation } from 'react-i18next';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { formatCount, formatDuration, formatRate } from '../lib/format.ts';
import { messageText } from '../lib/message-text.ts';
import styles from './Progress.module.css';

/** @param percent null while the length is unknown: the bar is then indeterminate. */
export function ProgressBar({ percent, label }: { percent: number | null; label: string }) {
  return (
    <div
      className={`${styles.track} ${percent === null ? styles.unknown : ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
    >
      <div className={styles.fill} style={percent === null ? undefined : { transform: `scaleX(${percent / 100})` }} />
    </div>
  );
}

/** Stage, progress, rate and remaining time of a task. Values that are not measured are left out. */
export function ProgressFacts({ task }: { task: Task }) {
  const { t } = useTranslation();
  const { unit, done, total, items_per_s: perSecond } = task;
  // The bar already shows the percentage.
  const isCounted = unit !== 'percent';
  const facts = [
    isCounted && total === null && done > 0 ? t(`progress.done.${unit}`, { done: formatCount(done) }) : null,
    isCounted && total !== null
      ? t(`progress.of.${unit}`, { done: formatCount(done), total: formatCount(total) })
      : null,
    isCounted && perSecond !== null ? t(`progress.rate.${unit}`, { rate: formatRate(perSecond) }) : null,
    task.time_left_s === null ? null : t('progress.left', { time: formatDuration(Math.max(1, task.time_left_s)) }),
  ].filter((fact) => fact !== null);
  return (
    <span className={styles.facts}>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </span>
  );
}

/** The current stage of a task, in words. */
export function useStepName(task: Task | undefined): string {
  const { t } = useTranslation();
  return (
    messageText(task?.step_message) ?? t(task?.status === 'INITIALIZING' ? 'progress.waiting' : 'progress.starting')
  );
}
