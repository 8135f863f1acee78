import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { api } from './api.ts';
import type { ApiError } from './api-error.ts';
import { useOperation } from './use-operation.ts';
import { useRefresh } from './use-refresh.ts';

type TaskAction = UseMutationResult<Task, ApiError, string>;

/** Whether long tasks are paused, and a function that pauses or resumes them. */
export function useTaskPause(): { paused: boolean; isPending: boolean; pause: (paused: boolean) => void } {
  const { data } = useOperation('get_task_pause', {});
  const onSettled = useRefresh('get_task_pause', 'list_tasks');
  const { mutate, isPending } = useMutation<{ paused: boolean }, ApiError, boolean>({
    mutationFn: (paused) => api.pause_tasks({ paused }),
    onSettled,
  });
  return { paused: data?.paused ?? false, isPending, pause: mutate };
}

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
