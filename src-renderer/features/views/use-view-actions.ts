import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { View } from '../../../src-main/contract/schemas/view.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/** Actions for a view. */
export function useViewActions({ dataset_id, id }: View) {
  const client = useQueryClient();
  const refresh = useRefresh('list_views');
  const of = { dataset_id, view_id: id };
  return {
    alert: useMutation<unknown, ApiError, boolean>({
      mutationFn: (enabled) => api.set_view_alerting({ ...of, request: { enabled } }),
      onSuccess: refresh,
    }),
    monitor: useMutation<unknown, ApiError, boolean>({
      mutationFn: (enabled) => api.set_view_monitoring({ ...of, request: { enabled } }),
      // Updated optimistically: the server refuses the trend of a paused view.
      onMutate: (enabled) =>
        client.setQueryData<{ views: View[] }>(['list_views', { dataset_id }], (list) =>
          list === undefined
            ? list
            : { views: list.views.map((view) => (view.id === id ? { ...view, monitoring_enabled: enabled } : view)) },
        ),
      onSettled: refresh,
    }),
    remove: useMutation<unknown, ApiError>({ mutationFn: () => api.delete_view(of), onSuccess: refresh }),
  };
}
