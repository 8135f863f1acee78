import { CircleStop, RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { ProgressBar, ProgressFacts, useStepName } from '../../components/Progress.tsx';
import table from '../../components/Table.module.css';
import { formatAgo, formatDateTime, formatDuration } from '../../lib/format.ts';
import { useHashPath } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { useTaskActions } from '../../lib/task-actions.ts';
import { isLive } from '../../lib/tasks.ts';
import styles from './TaskTable.module.css';

/** Kinds that can be stopped on the way. */
const ABORTED: readonly Task['task_type'][] = [
  'DATASET_CREATION',
  'MEANING_ADDITION',
  'MODEL_DOWNLOAD',
  'BACKUP',
  'DATASET_RESTORE',
  'DATA_CHECK',
  'DUPLICATE_DETECTION',
  'PROJECTION',
];
/** Kinds that can be tried once more. */
const RETRIED: readonly Task['task_type'][] = [
  'DATASET_CREATION',
  'ENRICHMENT',
  'MEANING_ADDITION',
  'BACKUP',
  'DATASET_RESTORE',
  'DATA_CHECK',
  'DUPLICATE_DETECTION',
  'PROJECTION',
];

export function TaskRow({ task }: { task: Task }) {
  const { t } = useTranslation();
  const { abort, retry } = useTaskActions();
  const step = useStepName(task);
  const live = isLive(task);
  const now = Date.now();
  const endMs = task.end_time === null ? now : new Date(task.end_time).getTime();
  const seconds = (endMs - new Date(task.start_time).getTime()) / 1000;
  const failure = abort.error?.detail ?? retry.error?.detail ?? task.error_message;
  const over = task.status === 'FAILED' || task.status === 'ABORTED';
  return (
    <tr data-testid="task-row" data-status={task.status}>
      <td>{t(`tasks.type.${task.task_type}`)}</td>
      <td className={styles.dataset}>
        {task.dataset_id !== '' && (
          <a className={table.link} href={useHashPath.hrefs(routes.explore(task.dataset_id))} title={task.dataset_name}>
            {task.dataset_name}
          </a>
        )}
      </td>
      <td className={styles.status}>
        <span className={styles.state} data-status={task.status}>
          {t(`tasks.state.${task.status}`)}
        </span>
      </td>
      <td className={styles.progress}>
        {live ? (
          <div className={styles.live}>
            <span className={styles.step}>
              {step} <ProgressFacts task={task} />
            </span>
            <ProgressBar percent={task.progress_percentage} label={step} />
          </div>
        ) : (
          <span className={styles.failure} title={failure ?? task.status_message}>
            {failure ?? task.status_message}
          </span>
        )}
      </td>
      <td className={styles.started} title={formatDateTime(task.start_time)}>
        {formatAgo(task.start_time, now)}
      </td>
      <td className={styles.duration}>{formatDuration(seconds)}</td>
      <td className={styles.actions}>
        <div>
          {live && ABORTED.includes(task.task_type) && (
            <IconButton
              label={t('tasks.abort')}
              icon={<CircleStop size={16} />}
              disabled={abort.isPending}
              onClick={() => abort.mutate(task.task_id)}
            />
          )}
          {over && RETRIED.includes(task.task_type) && (
            <IconButton
              label={t('tasks.retry')}
              icon={<RotateCw size={16} />}
              disabled={retry.isPending}
              onClick={() => retry.mutate(task.task_id)}
            />
          )}
          <CopyButton text={task.task_id} what={t('tasks.taskId')} />
        </div>
      </td>
    </tr>
  );
}
