import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from './api.ts';
import type { ApiError } from './api-error.ts';
import { useMayOn } from './datasets.ts';
import { useRefresh } from './use-refresh.ts';

/** Names a cluster in place. `of` is the cluster whose name is being edited. */
export function useClusterName(datasetId: string) {
  const refresh = useRefresh('explore', 'get_cluster', 'get_map');
  const may = useMayOn(datasetId)('name_cluster');
  const [of, setOf] = useState<string | undefined>(undefined);
  const { mutate, error } = useMutation<unknown, ApiError, { cluster_id: string; name: string }>({
    mutationFn: (input) => api.name_cluster({ dataset_id: datasetId, ...input }),
    onSuccess: () => void refresh(),
  });
  return {
    may,
    of,
    error,
    edit: setOf,
    /** @param name Undefined if the name stays. */
    done: (clusterId: string, name: string | undefined) => {
      setOf(undefined);
      if (name !== undefined) mutate({ cluster_id: clusterId, name });
    },
  };
}
