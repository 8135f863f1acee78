import { useOperation } from '../../lib/use-operation.ts';

/**
 * Files that came in since everything was grouped last. The core does not keep this number: it follows from the batches and from when the
 * newest task that grouped ended. Undefined where the tasks kept do not reach that far back.
 */
export function useUngrouped(datasetId: string): number | undefined {
  const { data: tasks } = useOperation('list_tasks', { dataset_id: datasetId, page_size: 50 });
  const { data: batches } = useOperation('list_batches', { dataset_id: datasetId });
  const completed = tasks?.tasks.filter((task) => task.status === 'COMPLETED') ?? [];
  const known = completed.find((task) => task.task_type === 'REINDEX' || task.task_type === 'DATASET_CREATION');
  // An addition that grouped afterwards ended in the same step as a task that only groups.
  const grouped = completed.find((task) => task === known || task.step === known?.step);
  if (grouped === undefined || grouped.end_time === null || batches === undefined) return undefined;
  const since = grouped.end_time;
  const count = batches.batches
    .filter((batch) => batch.created_at > since)
    .reduce((sum, batch) => sum + batch.n_done, 0);
  return count > 0 ? count : undefined;
}
