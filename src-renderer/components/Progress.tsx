import { useTranslation } from 'react-i18next';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { formatCount, formatDuration, formatRate } from '../lib/format.ts';
import styles from './Progress.module.css';

/** @param percent null while the length is unknown: the bar then only says that something works. */
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

/** What is done, how far, how fast, and how long it will take: only what is measured is said. */
export function ProgressFacts({ task }: { task: Task }) {
  const { t } = useTranslation();
  const { unit, done, total, items_per_s: perSecond } = task;
  // The bar says how many percent.
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

/** What a task does now, in words. */
export function useStepName(task: Task | undefined): string {
  const { t } = useTranslation();
  const step = task?.step ?? '';
  if (step === '') return t(task?.status === 'INITIALIZING' ? 'progress.waiting' : 'progress.starting');
  const words = step.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
