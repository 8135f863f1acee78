import type { TFunction } from 'i18next';
import { ChevronDown, ChevronRight, CircleStop, RotateCw } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { ProgressBar, ProgressFacts, useStepName } from '../../components/Progress.tsx';
import table from '../../components/Table.module.css';
import { useMay } from '../../lib/account.ts';
import { formatAgo, formatDateTime, formatDuration } from '../../lib/format.ts';
import { useHashPath } from '../../lib/location.ts';
import { messageText } from '../../lib/message-text.ts';
import { routes } from '../../lib/routes.ts';
import { useTaskActions } from '../../lib/task-actions.ts';
import { isLive } from '../../lib/tasks.ts';
import { useNow } from '../../lib/use-now.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { TaskDetails } from './TaskDetails.tsx';
import styles from './TaskTable.module.css';

/** One task. A click anywhere, or the last button, expands it. */
export function TaskRow({ task }: { task: Task }) {
  const { t } = useTranslation();
  const { abort, retry } = useTaskActions();
  const mayControl = useMayControl(task);
  const [open, setOpen] = useState(false);
  const details = useId();
  const step = useStepName(task);
  const live = isLive(task);
  const now = useNow(live);
  const endMs = task.end_time === null ? now : new Date(task.end_time).getTime();
  const seconds = (endMs - new Date(task.start_time).getTime()) / 1000;
  const failure = abort.error?.detail ?? retry.error?.detail ?? messageText(task.failure) ?? null;
  const outcome = failure ?? (task.status === 'ABORTED' ? stoppedAt(task, t) : messageText(task.outcome));
  return (
    <>
      <tr
        className={styles.task}
        data-testid="task-row"
        data-status={task.status}
        onClick={(event) => {
          if (!(event.target as Element).closest('a, button')) setOpen(!open);
        }}
      >
        <td>{t(`tasks.type.${task.task_type}`)}</td>
        <td className={styles.dataset}>
          {task.dataset_id !== '' && (
            <a
              className={table.link}
              href={useHashPath.hrefs(routes.explore(task.dataset_id))}
              title={task.dataset_name}
            >
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
            <span className={styles.failure} title={outcome}>
              {outcome}
            </span>
          )}
        </td>
        <td className={styles.started} title={formatDateTime(task.start_time)}>
          {formatAgo(task.start_time, now)}
        </td>
        <td className={styles.duration} data-testid="task-duration">
          {formatDuration(seconds)}
        </td>
        <td className={styles.user} title={task.created_by}>
          {task.created_by}
        </td>
        <td className={styles.actions}>
          <div>
            {task.can_abort && mayControl && (
              <IconButton
                label={t('tasks.abort')}
                icon={<CircleStop size={16} />}
                disabled={abort.isPending}
                onClick={() => abort.mutate(task.task_id)}
                data-testid="task-abort"
              />
            )}
            {task.can_retry && mayControl && (
              <IconButton
                label={t('tasks.retry')}
                icon={<RotateCw size={16} />}
                disabled={retry.isPending}
                onClick={() => retry.mutate(task.task_id)}
                data-testid="task-retry"
              />
            )}
            <span className={styles.copy}>
              <CopyButton text={task.task_id} what={t('tasks.taskId')} />
            </span>
            <IconButton
              label={t('tasks.details')}
              icon={open ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
              aria-expanded={open}
              aria-controls={open ? details : undefined}
              onClick={() => setOpen(!open)}
              data-testid="task-details-toggle"
            />
          </div>
        </td>
      </tr>
      {open && <TaskDetails id={details} task={task} failure={failure} />}
    </>
  );
}

/** Progress of a task when it was stopped. */
function stoppedAt({ progress_percentage: percent }: Task, t: TFunction): string {
  return percent === null || percent === 0 ? '' : t('tasks.stoppedAt', { percent });
}

/** Users who may edit a dataset may control its tasks. Other tasks are controlled by admins. */
function useMayControl({ dataset_id }: Task): boolean {
  const may = useMay();
  const { data: datasets } = useOperation('list_datasets', {});
  if (dataset_id === '') return may('check_data');
  const dataset = datasets?.find(({ id }) => id === dataset_id);
  return dataset !== undefined && may('abort_task', dataset);
}
