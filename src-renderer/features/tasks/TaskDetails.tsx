import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { formatDateTime } from '../../lib/format.ts';
import styles from './TaskDetails.module.css';
import columns from './TaskTable.module.css';

interface TaskDetailsProps {
  id: string;
  task: Task;
  failure: string | null;
}

/** Details of one task below its row: full error text, times, user and IDs. */
export function TaskDetails({ id, task, failure }: TaskDetailsProps) {
  const { t } = useTranslation();
  return (
    <tr className={styles.row} data-testid="task-details">
      {/* A cell across all columns, however many are visible. */}
      <td colSpan={4}>
        <div id={id} className={styles.details}>
          {failure !== null && (
            <p className={styles.error} data-stopped={task.status === 'ABORTED'}>
              <span className={styles.term}>{t('tasks.error')}</span>
              {failure}
            </p>
          )}
          <dl className={styles.facts}>
            <Fact term={t('tasks.started')}>{formatDateTime(task.start_time)}</Fact>
            <Fact term={t('tasks.ended')}>
              {task.end_time === null ? t('tasks.notEnded') : formatDateTime(task.end_time)}
            </Fact>
            <Fact term={t('tasks.user')}>{task.created_by}</Fact>
            <Id term={t('tasks.taskId')} id={task.task_id} />
            {task.dataset_id !== '' && <Id term={t('tasks.datasetId')} id={task.dataset_id} />}
          </dl>
        </div>
      </td>
      <td className={columns.started} />
      <td className={columns.duration} />
      <td className={columns.user} />
    </tr>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt className={styles.term}>{term}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}

function Id({ term, id }: { term: string; id: string }) {
  return (
    <Fact term={term}>
      <code>{id}</code>
      <CopyButton text={id} what={term} />
    </Fact>
  );
}
