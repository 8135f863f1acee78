import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { api } from './api.ts';
import type { ApiError } from './api-error.ts';
import { useRefresh } from './use-refresh.ts';

type TaskAction = UseMutationResult<Task, ApiError, string>;

/** Stops or restarts a task. */
export function useTaskActions(): { abort: TaskAction; retry: TaskAction } {
  const onSettled = useRefresh('list_tasks', 'list_datasets', 'get_dataset');
  const abort = useMutation<Task, ApiError, string>({
    mutationFn: (taskId) => api.abort_task({ task_id: taskId }),
    onSettled,
  });
  const retry = useMutation<Task, ApiError, string>({
    mutationFn: (taskId) => api.retry_task({ task_id: taskId }),
    onSettled,
  });
  return { abort, retry };
}
