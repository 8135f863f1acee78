import { ChevronLeft, ChevronRight, ListChecks, Pause, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../../components/Banner.tsx';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useMay } from '../../lib/account.ts';
import { navigate } from '../../lib/location.ts';
import { useNewDatasetRequest } from '../../lib/new-dataset-request.ts';
import { ALL_TASKS, routes, TASK_WINDOWS, type TasksPlace, type TaskWindow, useTasksPlace } from '../../lib/routes.ts';
import { useTaskPause } from '../../lib/task-actions.ts';
import { isLive } from '../../lib/tasks.ts';
import { useOperation } from '../../lib/use-operation.ts';
import styles from './TasksPage.module.css';
import { TaskTable } from './TaskTable.tsx';

const PAGE_SIZE = 50;
const SKELETON_ROWS = [...Array(8).keys()];
const WINDOW_HOURS: Record<TaskWindow, number> = { '24h': 24, '7d': 7 * 24, '14d': 14 * 24 };

/** All tasks, running and finished. */
export function TasksPage() {
  const { t } = useTranslation();
  const place = useTasksPlace();
  const { paused, isPending, pause } = useTaskPause();
  const mayPause = useMay()('pause_tasks');
  const openNew = useNewDatasetRequest((request) => request.open);
  const since = useMemo(
    () => new Date(Date.now() - WINDOW_HOURS[place.within] * 3_600_000).toISOString(),
    [place.within],
  );
  const { data, error, refetch } = useOperation('list_tasks', queryOf(place, since), {
    refetchInterval: ({ state }) => (state.data?.tasks.some(isLive) ? 1000 : 5000),
    placeholderData: (previous) => previous,
  });
  const { data: choices } = useOperation('list_task_filters', { start_time_from: since, with_service: true });
  /** A changed filter starts at the first page. */
  const go = (change: Partial<TasksPlace>) =>
    navigate(routes.tasks({ ...place, page: 1, ...change }), { replace: true });

  const bar = (
    <Bar
      title={t('tasks.title')}
      back={routes.inventory()}
      query={
        <>
          <SearchField
            label={t('tasks.search')}
            value={place.find ?? ''}
            onChange={(text) => go({ find: text === '' ? undefined : text })}
          />
          <Segmented
            label={t('tasks.window')}
            value={place.within}
            options={TASK_WINDOWS.map((value) => ({ value, label: t(`tasks.windows.${value}`) }))}
            onChange={(within) => go({ within })}
            testId="tasks-window"
          />
        </>
      }
    >
      {mayPause && !paused && (
        <IconButton
          label={t('tasks.pause')}
          icon={<Pause size={16} />}
          disabled={isPending}
          onClick={() => pause(true)}
          data-testid="pause-tasks"
        />
      )}
      {data !== undefined && data.total > PAGE_SIZE && (
        <Pager page={place.page} total={data.total} onPage={(page) => go({ page })} />
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
  const isNarrowed = [place.find, place.type, place.status, place.dataset, place.by].some((one) => one !== undefined);
  const isAll = !isNarrowed && place.within === ALL_TASKS.within;
  return (
    <Page bar={bar} scroll>
      {paused && (
        <Banner icon={<Pause size={16} />} text={t('tasks.paused')} role="status" testId="tasks-paused">
          {mayPause && (
            <Button onClick={() => pause(false)} disabled={isPending}>
              {t('tasks.resume')}
            </Button>
          )}
        </Banner>
      )}
      {data.total === 0 && isAll ? (
        <StateMessage
          icon={<ListChecks size={24} strokeWidth={1.5} />}
          title={t('tasks.emptyTitle')}
          text={t('tasks.emptyText')}
          actions={<Button onClick={() => openNew()}>{t('inventory.newDataset')}</Button>}
        />
      ) : (
        <TaskTable tasks={data.tasks} place={place} choices={choices} go={go} />
      )}
      {data.total === 0 && !isAll && (
        <StateMessage
          icon={<SearchX size={24} strokeWidth={1.5} />}
          title={t('tasks.noMatchTitle')}
          text={t('tasks.noMatch', { window: t(`tasks.windows.${place.within}`) })}
          actions={<Button onClick={() => navigate(routes.tasks())}>{t('tasks.showAll')}</Button>}
        />
      )}
    </Page>
  );
}

function queryOf(place: TasksPlace, since: string) {
  return {
    with_service: true,
    start_time_from: since,
    sort_by: place.sort,
    sort_order: place.ascending ? ('asc' as const) : ('desc' as const),
    page: place.page,
    page_size: PAGE_SIZE,
    ...(place.find !== undefined && { dataset_name: place.find }),
    ...(place.type !== undefined && { task_type: place.type }),
    ...(place.status !== undefined && { task_status: place.status }),
    ...(place.dataset !== undefined && { dataset_id: place.dataset }),
    ...(place.by !== undefined && { created_by: place.by }),
  };
}

function Pager({ page, total, onPage }: { page: number; total: number; onPage(page: number): void }) {
  const { t } = useTranslation();
  const from = (page - 1) * PAGE_SIZE + 1;
  return (
    <>
      <span className={styles.range}>{t('tasks.pageOf', { from, to: Math.min(total, page * PAGE_SIZE), total })}</span>
      <IconButton
        label={t('tasks.previousPage')}
        icon={<ChevronLeft size={16} />}
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        label={t('tasks.nextPage')}
        icon={<ChevronRight size={16} />}
        disabled={page * PAGE_SIZE >= total}
        onClick={() => onPage(page + 1)}
      />
    </>
  );
}
