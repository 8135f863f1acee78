import { ChevronLeft, ChevronRight, ListChecks } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bar } from '../../components/Bar.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { routes } from '../../lib/routes.ts';
import { isLive } from '../../lib/tasks.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './TasksPage.module.css';
import { type TaskSort, TaskTable } from './TaskTable.tsx';

const PAGE_SIZE = 50;
const SKELETON_ROWS = [...Array(8).keys()];

/** All long work, running and over. */
export function TasksPage() {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [sort, setSort] = useState<TaskSort>({ by: 'start_time', order: 'desc' });
  const { data, error, refetch } = useOperation(
    'list_tasks',
    { page, page_size: PAGE_SIZE, with_service: true, sort_by: sort.by, sort_order: sort.order },
    {
      refetchInterval: ({ state }) => (state.data?.tasks.some(isLive) ? 1000 : 5000),
      placeholderData: (previous) => previous,
    },
  );
  const from = (page - 1) * PAGE_SIZE + 1;
  const bar = (
    <Bar title={t('tasks.title')} back={routes.inventory()}>
      {data !== undefined && data.total > PAGE_SIZE && (
        <>
          <span className={styles.range}>
            {t('tasks.pageOf', { from, to: Math.min(data.total, page * PAGE_SIZE), total: data.total })}
          </span>
          <IconButton
            label={t('tasks.previousPage')}
            icon={<ChevronLeft size={16} />}
            disabled={page === 1}
            onClick={() => setPage(page - 1)}
          />
          <IconButton
            label={t('tasks.nextPage')}
            icon={<ChevronRight size={16} />}
            disabled={page * PAGE_SIZE >= data.total}
            onClick={() => setPage(page + 1)}
          />
        </>
      )}
    </Bar>
  );
  if (data === undefined) {
    return (
      <Page bar={bar}>
        {error !== null ? (
          <QueryError error={error} onRetry={() => void refetch()} />
        ) : (
          <div className={styles.skeletons}>
            {SKELETON_ROWS.map((row) => (
              <Skeleton key={row} style={{ height: 32 }} />
            ))}
          </div>
        )}
      </Page>
    );
  }
  return (
    <Page bar={bar} scroll>
      {data.total === 0 ? (
        <StateMessage
          icon={<ListChecks size={24} strokeWidth={1.5} />}
          title={t('tasks.emptyTitle')}
          text={t('tasks.emptyText')}
        />
      ) : (
        <TaskTable tasks={data.tasks} sort={sort} onSort={setSort} />
      )}
    </Page>
  );
}
