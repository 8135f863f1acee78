import { useMutation } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import type { ApiError } from '../../../lib/api-error.ts';
import { useLiveTasks } from '../../../lib/tasks.ts';
import { useRefresh } from '../../../lib/use-refresh.ts';

/** Whether missing items are being added to the map, and a function that starts it. */
export function useMapComputation(datasetId: string) {
  const onSettled = useRefresh('list_tasks', 'get_map');
  const isRunning = useLiveTasks().some(
    ({ task_type, dataset_id }) => task_type === 'PROJECTION' && dataset_id === datasetId,
  );
  const start = useMutation<unknown, ApiError>({
    mutationFn: () => api.lay_out_map({ dataset_id: datasetId }),
    onSettled,
  });
  return { isRunning: isRunning || start.isPending, error: start.error?.detail, start: () => start.mutate() };
}
