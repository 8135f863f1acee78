import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

type Restored = { task_id: string; dataset_id: string };

/** Starts a backup into a folder, or restores a dataset from a backup. */
export function useBackupActions(): {
  start: UseMutationResult<{ task_id: string }, ApiError, string>;
  restore: UseMutationResult<Restored, ApiError, { backup_id: string; dataset_id: string }>;
} {
  const onSettled = useRefresh('list_tasks', 'list_backups', 'list_datasets');
  const start = useMutation<{ task_id: string }, ApiError, string>({
    mutationFn: (folder) => api.start_backup({ folder }),
    onSettled,
  });
  const restore = useMutation<Restored, ApiError, { backup_id: string; dataset_id: string }>({
    mutationFn: (from) => api.restore_dataset(from),
    onSettled,
  });
  return { start, restore };
}
