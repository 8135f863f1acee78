import { useMutation } from '@tanstack/react-query';
import type { View } from '../../../src-main/contract/schemas/view.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/** What can be done with a view. */
export function useViewActions({ dataset_id, id }: View) {
  const onSuccess = useRefresh('list_views');
  const of = { dataset_id, view_id: id };
  return {
    alert: useMutation<unknown, ApiError, boolean>({
      mutationFn: (enabled) => api.set_view_alerting({ ...of, request: { enabled } }),
      onSuccess,
    }),
    remove: useMutation<unknown, ApiError>({ mutationFn: () => api.delete_view(of), onSuccess }),
  };
}
