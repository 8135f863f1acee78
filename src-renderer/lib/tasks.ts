import { BACKGROUND_TASKS, type Task } from '../../src-main/contract/schemas/task.ts';
import { useOperation } from './use-operation.ts';

const LIVE_POLL_MS = 1000;
const IDLE_POLL_MS = 8000;

export function isLive(task: Task): boolean {
  return task.status === 'INITIALIZING' || task.status === 'RUNNING';
}

/** The newest tasks, polled every second while one is running, so that missed events do no harm. */
export function useRecentTasks(): readonly Task[] {
  const { data } = useOperation(
    'list_tasks',
    { page_size: 50, with_service: true },
    { refetchInterval: ({ state }) => (state.data?.tasks.some(isLive) ? LIVE_POLL_MS : IDLE_POLL_MS) },
  );
  return data?.tasks ?? [];
}

export function useLiveTasks(): readonly Task[] {
  return useRecentTasks().filter(isLive);
}

/** The newest task of a dataset, running or finished, except background tasks. */
export function useLatestTask(datasetId: string): Task | undefined {
  const { data } = useOperation(
    'list_tasks',
    { dataset_id: datasetId, page_size: 10, with_service: true },
    { refetchInterval: ({ state }) => (state.data?.tasks.some(isLive) ? LIVE_POLL_MS : IDLE_POLL_MS) },
  );
  return data?.tasks.find(({ task_type }) => !BACKGROUND_TASKS.includes(task_type));
}
