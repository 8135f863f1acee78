import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Arguments } from '../../../src-main/contract/contract.ts';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import table from '../../components/Table.module.css';
import { TaskRow } from './TaskRow.tsx';
import styles from './TaskTable.module.css';

type SortField = NonNullable<Arguments<'list_tasks'>['sort_by']>;

export interface TaskSort {
  by: SortField;
  order: 'asc' | 'desc';
}

interface TaskTableProps {
  tasks: readonly Task[];
  sort: TaskSort;
  onSort(sort: TaskSort): void;
}

export function TaskTable({ tasks, sort, onSort }: TaskTableProps) {
  const { t } = useTranslation();
  const header = (by: SortField, text: string, className?: string) => {
    const current = sort.by === by;
    const order = current && sort.order === 'desc' ? 'asc' : 'desc';
    return (
      <th className={className} aria-sort={current ? (sort.order === 'asc' ? 'ascending' : 'descending') : 'none'}>
        <button type="button" className={styles.sort} onClick={() => onSort({ by, order })}>
          {text}
          {current && (sort.order === 'asc' ? <ArrowUp size={12} /> : <ArrowDown size={12} />)}
        </button>
      </th>
    );
  };
  return (
    <table className={`${table.table} ${styles.table}`} data-testid="tasks-table">
      <thead>
        <tr>
          {header('task_type', t('tasks.task'))}
          {header('dataset_name', t('tasks.dataset'), styles.dataset)}
          {header('status', t('tasks.status'), styles.status)}
          <th className={styles.progress}>{t('tasks.progress')}</th>
          {header('start_time', t('tasks.started'), styles.started)}
          <th className={styles.duration}>{t('tasks.duration')}</th>
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
