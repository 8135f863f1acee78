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

type SnapshotActionName = 'restore' | 'clone' | 'remove';

/**
 * Actions for a whole snapshot.
 * @param onDone Called when an action has started, also if the row is gone by then: an event may remove it before the response arrives.
 */
export function useSnapshotActions(
  datasetId: string,
  snapshotId: string,
  onDone: (action: SnapshotActionName) => void,
): Record<SnapshotActionName, SnapshotAction<string | undefined>> {
  const about = { dataset_id: datasetId, snapshot_id: snapshotId };
  const refresh = useRefresh('list_snapshots', 'get_dataset', 'list_datasets', 'list_tasks');
  const done = (action: SnapshotActionName) => () => {
    onDone(action);
    void refresh();
  };
  return {
    /** Restores a snapshot, after storing the present state under a name. */
    restore: useMutation({
      mutationFn: (keepAs: string | undefined) => api.restore_snapshot({ ...about, keep_as: keepAs }),
      onSuccess: done('restore'),
    }),
    clone: useMutation({ mutationFn: () => api.clone_snapshot(about), onSuccess: done('clone') }),
    remove: useMutation({ mutationFn: () => api.delete_snapshot(about), onSuccess: done('remove') }),
  };
}
