import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Edit } from '../../src-main/contract/schemas/edit.ts';
import { type ApiInput, api } from './api.ts';
import type { ApiError } from './api-error.ts';
import { useRefresh } from './use-refresh.ts';

type Parts = ApiInput<'exclude'>['media_selection'];

export type Edits = ReturnType<typeof useEdits>;

/** Names to add and to remove. */
export interface Change {
  add?: string[];
  remove?: string[];
}

/**
 * Edits items and objects. The last edit can be undone.
 *
 * @param onDone Called after each edit.
 */
export function useEdits(datasetId: string, onDone?: () => void) {
  const { t } = useTranslation();
  const refresh = useRefresh(
    'explore',
    'find_similar',
    'get_cluster',
    'get_dataset_image',
    'list_items',
    'list_duplicates',
    'get_facets',
    'list_tags',
  );
  const [last, setLast] = useState<{ edit: Edit; undone: boolean } | undefined>(undefined);
  const { mutate, error, reset } = useMutation<Edit, ApiError, { run: () => Promise<Edit>; undone?: boolean }>({
    mutationFn: ({ run }) => run(),
    onSuccess: (edit, { undone = false }) => {
      onDone?.();
      setLast({ edit, undone });
      refresh();
    },
  });
  const of = (mediaSelection: Parts) => ({ dataset_id: datasetId, media_selection: mediaSelection });
  const wordsOf = ({ edit, undone }: { edit: Edit; undone: boolean }): string => {
    const names = [...edit.added, ...edit.removed].join(', ');
    const words = t(`selection.done.${edit.kind}`, { count: edit.n_changed, names });
    return undone ? t('selection.undone', { words }) : words;
  };
  return {
    error,
    /** Result of the last edit in words. */
    words: last && wordsOf(last),
    canUndo: last !== undefined && !last.undone && last.edit.edit_id !== null,
    tag: (parts: Parts, change: Change) => mutate({ run: () => api.edit_tags({ ...of(parts), ...change }) }),
    label: (parts: Parts, change: Change) => mutate({ run: () => api.edit_labels({ ...of(parts), ...change }) }),
    exclude: (parts: Parts) => mutate({ run: () => api.exclude(of(parts)) }),
    confirm: (parts: Parts, labels: string[]) =>
      mutate({ run: () => api.edit_labels({ ...of(parts), confirm: labels }) }),
    include: (parts: Parts) => mutate({ run: () => api.include(of(parts)) }),
    undo: () => {
      const editId = last?.edit.edit_id ?? undefined;
      mutate({ run: () => api.undo_edit({ dataset_id: datasetId, edit_id: editId }), undone: true });
    },
    forget: () => {
      setLast(undefined);
      reset();
    },
  };
}
