import type { ApiInput } from './api.ts';
import { api } from './api.ts';
import { useMayOn } from './datasets.ts';
import { useEdits } from './use-edits.ts';

/** Hides, shows, merges and splits clusters. The tray shows the result, which can be undone. */
export function useClusterEdits(datasetId: string, onDone?: () => void) {
  const { run, isPending } = useEdits(datasetId);
  const may = useMayOn(datasetId)('edit_clusters');
  return {
    may,
    isPending,
    edit: (action: ApiInput<'edit_clusters'>['action'], clusterIds: string[]) =>
      run(async () => {
        const edit = await api.edit_clusters({ dataset_id: datasetId, action, cluster_ids: clusterIds });
        onDone?.();
        return edit;
      }),
  };
}
