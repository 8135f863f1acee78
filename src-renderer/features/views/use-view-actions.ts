import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { View } from '../../../src-main/contract/schemas/view.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/** What can be done with a view. */
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
      // Shown at once: a view that is paused is not asked for its trend, which it would refuse.
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
