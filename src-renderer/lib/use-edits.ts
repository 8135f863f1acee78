import { useMutation } from '@tanstack/react-query';
import type { Edit } from '../../src-main/contract/schemas/edit.ts';
import { type ApiInput, api } from './api.ts';
import type { ApiError } from './api-error.ts';
import { useLastEdit } from './last-edit.ts';
import { useRefresh } from './use-refresh.ts';

type Parts = ApiInput<'exclude'>['media_selection'];

export type Edits = ReturnType<typeof useEdits>;

/** Names to add and to remove. */
export interface Change {
  add?: string[];
  remove?: string[];
}

/**
 * Edits items and objects, and undoes edits. The tray shows the result.
 *
 * @param onMoved Called after items were excluded or restored, which moves them to other lists.
 */
export function useEdits(datasetId: string, onMoved?: () => void) {
  const { note, fail } = useLastEdit();
  const refresh = useRefresh(
    'explore',
    'find_similar',
    'get_cluster',
    'get_map',
    'get_levels',
    'get_dataset_image',
    'get_image_custom_metadata',
    'list_items',
    'list_duplicates',
    'list_review_entries',
    'list_edits',
    'get_facets',
    'list_tags',
  );
  const { mutate, isPending } = useMutation<Edit, ApiError, { run: () => Promise<Edit>; undone?: boolean }>({
    mutationFn: ({ run }) => run(),
    onSuccess: (edit, { undone = false }) => {
      if (!undone && (edit.kind === 'EXCLUSION' || edit.kind === 'INCLUSION')) onMoved?.();
      note(datasetId, edit, undone);
    },
    onError: (error) => fail(datasetId, error),
    onSettled: refresh,
  });
  const of = (mediaSelection: Parts) => ({ dataset_id: datasetId, media_selection: mediaSelection });
  return {
    isPending,
    /** Runs another edit of the dataset. */
    run: (edit: () => Promise<Edit>) => mutate({ run: edit }),
    tag: (parts: Parts, change: Change) => mutate({ run: () => api.edit_tags({ ...of(parts), ...change }) }),
    label: (parts: Parts, change: Change) => mutate({ run: () => api.edit_labels({ ...of(parts), ...change }) }),
    caption: (parts: Parts, caption: string | null) =>
      mutate({ run: () => api.edit_caption({ ...of(parts), caption }) }),
    /** Sets the value of a custom field. */
    field: (parts: Parts, name: string, value: ApiInput<'edit_custom_metadata'>['value']) =>
      mutate({ run: () => api.edit_custom_metadata({ ...of(parts), field_name: name, value }) }),
    exclude: (parts: Parts) => mutate({ run: () => api.exclude(of(parts)) }),
    confirm: (parts: Parts, labels: string[]) =>
      mutate({ run: () => api.edit_labels({ ...of(parts), confirm: labels }) }),
    include: (parts: Parts) => mutate({ run: () => api.include(of(parts)) }),
    undo: (editId: number) =>
      mutate({ run: () => api.undo_edit({ dataset_id: datasetId, edit_id: editId }), undone: true }),
  };
}
