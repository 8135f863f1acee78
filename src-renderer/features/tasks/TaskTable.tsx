import { useTranslation } from 'react-i18next';
import type { Result } from '../../../src-main/contract/contract.ts';
import { TASK_STATUSES, TASK_TYPES, type Task } from '../../../src-main/contract/schemas/task.ts';
import table from '../../components/Table.module.css';
import type { TasksPlace } from '../../lib/routes.ts';
import { TaskHead } from './TaskHead.tsx';
import { TaskRow } from './TaskRow.tsx';
import styles from './TaskTable.module.css';

interface TaskTableProps {
  tasks: readonly Task[];
  place: TasksPlace;
  /** Values to filter by. Undefined while loading. */
  choices: Result<'list_task_filters'> | undefined;
  go(change: Partial<TasksPlace>): void;
}

export function TaskTable({ tasks, place, choices, go }: TaskTableProps) {
  const { t } = useTranslation();
  const common = { place, go };
  const types = TASK_TYPES.filter((type) => type === place.type || choices?.task_types.includes(type));
  const users = [...new Set([...(choices?.created_by ?? []), ...(place.by === undefined ? [] : [place.by])])];
  return (
    <table className={`${table.table} ${table.page} ${styles.table}`} data-testid="tasks-table">
      <thead>
        <tr>
          <TaskHead
            {...common}
            sort="task_type"
            text={t('tasks.task')}
            filter={{
              value: place.type,
              options: types.map((value) => ({ value, label: t(`tasks.type.${value}`) })),
              onChange: (value) => go({ type: TASK_TYPES.find((type) => type === value) }),
            }}
          />
          <TaskHead
            {...common}
            sort="dataset_name"
            text={t('tasks.dataset')}
            className={styles.dataset}
            filter={{
              value: place.dataset,
              options: (choices?.datasets ?? []).map(({ id, name }) => ({ value: id, label: name })),
              onChange: (dataset) => go({ dataset }),
            }}
          />
          <TaskHead
            {...common}
            sort="status"
            text={t('tasks.status')}
            className={styles.status}
            filter={{
              value: place.status,
              options: TASK_STATUSES.map((value) => ({ value, label: t(`tasks.state.${value}`) })),
              onChange: (value) => go({ status: TASK_STATUSES.find((status) => status === value) }),
            }}
          />
          <th className={styles.progress}>{t('tasks.progress')}</th>
          <TaskHead {...common} sort="start_time" text={t('tasks.started')} className={styles.started} />
          <th className={styles.duration}>{t('tasks.duration')}</th>
          <TaskHead
            {...common}
            sort="created_by"
            text={t('tasks.user')}
            className={styles.user}
            filter={{
              value: place.by,
              options: users.map((value) => ({ value, label: value })),
              onChange: (by) => go({ by }),
            }}
          />
          <th className={styles.actions}>
            <span className="visually-hidden">{t('tasks.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <TaskRow key={task.task_id} task={task} />
        ))}
      </tbody>
    </table>
  );
}
