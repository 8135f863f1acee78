import { useTranslation } from 'react-i18next';
import type { Task } from '../../../src-main/contract/schemas/task.ts';
import rows from '../../components/Rows.module.css';
import { Section } from '../../components/Section.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMark } from '../../components/StateMark.tsx';
import table from '../../components/Table.module.css';
import { formatAgo, formatDateTime, formatDuration } from '../../lib/format.ts';
import { useHashPath } from '../../lib/location.ts';
import { messageText } from '../../lib/message-text.ts';
import { ALL_TASKS, routes } from '../../lib/routes.ts';
import { isLive } from '../../lib/tasks.ts';
import { useNow } from '../../lib/use-now.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './DataPage.module.css';

const SHOWN = 10;
const LIVE_POLL_MS = 1500;
const IDLE_POLL_MS = 15_000;
const TONE = { INITIALIZING: 'busy', RUNNING: 'busy', COMPLETED: 'ok', FAILED: 'bad', ABORTED: 'quiet' } as const;

/** Tasks of a dataset, latest first. */
export function Activity({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { data, error } = useOperation(
    'list_tasks',
    { dataset_id: datasetId, with_service: true, page_size: SHOWN },
    { refetchInterval: ({ state }) => (state.data?.tasks.some(isLive) ? LIVE_POLL_MS : IDLE_POLL_MS) },
  );
  return (
    <Section title={t('data.activity')} text={t('data.activityText')} error={error}>
      {data === undefined ? (
        error === null && <Skeleton style={{ height: 80 }} />
      ) : (
        <>
          <table className={`${table.table} ${table.section} ${styles.table}`} data-testid="activity">
            <thead>
              <tr>
                <th>{t('tasks.task')}</th>
                <th className={styles.middle}>{t('data.when')}</th>
                <th className={styles.middle}>{t('tasks.duration')}</th>
                <th className={styles.state}>{t('tasks.status')}</th>
              </tr>
            </thead>
            <tbody>
              {data.tasks.map((task) => (
                <ActivityRow key={task.task_id} task={task} />
              ))}
            </tbody>
          </table>
          {data.total > SHOWN && (
            <a className={table.link} href={useHashPath.hrefs(routes.tasks({ ...ALL_TASKS, dataset: datasetId }))}>
              {t('data.allActivity', { count: data.total })}
            </a>
          )}
        </>
      )}
    </Section>
  );
}

function ActivityRow({ task }: { task: Task }) {
  const { t } = useTranslation();
  const now = useNow(isLive(task));
  const endMs = task.end_time === null ? now : Date.parse(task.end_time);
  return (
    <tr data-testid="activity-row" data-status={task.status}>
      <td>{t(`tasks.type.${task.task_type}`)}</td>
      <td className={`${styles.middle} ${rows.quiet}`} title={formatDateTime(task.start_time)}>
        {formatAgo(task.start_time, now)}
      </td>
      <td className={`${styles.middle} ${rows.quiet}`}>
        {formatDuration((endMs - Date.parse(task.start_time)) / 1000)}
      </td>
      <td className={styles.state} title={messageText(task.failure) ?? messageText(task.outcome)}>
        <StateMark tone={TONE[task.status]}>{t(`tasks.state.${task.status}`)}</StateMark>
      </td>
    </tr>
  );
}
