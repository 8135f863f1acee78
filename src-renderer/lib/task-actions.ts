import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Task } from '../../src-main/contract/schemas/task.ts';
import { api } from './api.ts';
import type { ApiError } from './api-error.ts';

type TaskAction = UseMutationResult<Task, ApiError, string>;

/** Stopping a task and starting it again, by its id. */
export function useTaskActions(): { abort: TaskAction; retry: TaskAction } {
  const client = useQueryClient();
  const onSettled = () =>
    Promise.all(
      ['list_tasks', 'list_datasets', 'get_dataset'].map((operation) =>
        client.invalidateQueries({ queryKey: [operation] }),
      ),
    );
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
