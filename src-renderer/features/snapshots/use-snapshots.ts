import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

const RESTORING_POLL_MS = 1000;

/** The snapshots of a dataset, newest first. */
export function useSnapshots(datasetId: string) {
  return useOperation(
    'list_snapshots',
    { dataset_id: datasetId },
    {
      refetchInterval: ({ state }) =>
        state.data?.some(({ is_restoring }) => is_restoring) ? RESTORING_POLL_MS : false,
    },
  );
}

type SnapshotAction<Argument> = UseMutationResult<unknown, ApiError, Argument>;

export interface SnapshotText {
  name: string;
  description: string;
}

/** Creates a snapshot, or edits one. @param snapshotId The snapshot to edit. Undefined to create one. */
export function useSaveSnapshot(datasetId: string, snapshotId: string | undefined): SnapshotAction<SnapshotText> {
  const onSuccess = useRefresh('list_snapshots');
  return useMutation<unknown, ApiError, SnapshotText>({
    mutationFn: (text) =>
      snapshotId === undefined
        ? api.create_snapshot({ dataset_id: datasetId, ...text })
        : api.update_snapshot({ dataset_id: datasetId, snapshot_id: snapshotId, ...text }),
    onSuccess,
  });
}

/** Actions for a whole snapshot. */
export function useSnapshotActions(
  datasetId: string,
  snapshotId: string,
): Record<'restore' | 'clone' | 'remove', SnapshotAction<void>> {
  const about = { dataset_id: datasetId, snapshot_id: snapshotId };
  const refresh = useRefresh('list_snapshots', 'get_dataset', 'list_datasets', 'list_tasks');
  // Not awaited: the refresh may remove the row, which then could not show the result.
  const onSuccess = () => void refresh();
  return {
    restore: useMutation<unknown, ApiError, void>({ mutationFn: () => api.restore_snapshot(about), onSuccess }),
    clone: useMutation<unknown, ApiError, void>({ mutationFn: () => api.clone_snapshot(about), onSuccess }),
    remove: useMutation<unknown, ApiError, void>({ mutationFn: () => api.delete_snapshot(about), onSuccess }),
  };
}
