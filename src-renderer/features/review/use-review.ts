import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Edit } from '../../../src-main/contract/schemas/edit.ts';
import { type ApiInput, api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import type { QueueInput, ReviewEntry } from '../../lib/review.ts';
import { operationQuery, useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

/** Number of entries fetched ahead, so that a decision shows the next entry at once. */
const AHEAD = 8;

export type Decision = Omit<ApiInput<'decide_review'>, 'dataset_id' | 'queue_id' | 'media_selection'>;

interface Done {
  edit: Edit;
  entry: ReviewEntry;
}

export type Review = ReturnType<typeof useReview>;

/**
 * The entries of a queue one after the other, with decisions, skipping and undo. A decided entry leaves at once; if the decision fails, it
 * comes back with the error.
 */
export function useReview(queue: QueueInput) {
  const client = useQueryClient();
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [history, setHistory] = useState<readonly Done[]>([]);
  /** The entry of the last undone decision, which is shown again first. */
  const [returned, setReturned] = useState<ReviewEntry | undefined>(undefined);
  const { data, error, refetch, isPlaceholderData } = useOperation(
    'list_review_entries',
    { ...queue, skip: [...skipped], limit: AHEAD },
    { placeholderData: (before) => before },
  );
  const refresh = useRefresh('list_review_entries', 'get_facets', 'explore', 'list_items', 'list_duplicates');

  const waiting = (data?.entries ?? []).filter(({ entry_id }) => !gone.has(entry_id) && !skipped.includes(entry_id));
  const entry = returned ?? waiting[0];
  const following = waiting.filter(({ entry_id }) => entry_id !== entry?.entry_id);
  const leave = (id: string) => {
    setGone((ids) => new Set(ids).add(id));
    setReturned(undefined);
  };
  const comeBack = (id: string) => setGone((ids) => new Set([...ids].filter((one) => one !== id)));

  const decision = useMutation<Edit, ApiError, { entry: ReviewEntry; input: ApiInput<'decide_review'> }>({
    mutationFn: ({ input }) => api.decide_review(input),
    onMutate: ({ entry: of }) => leave(of.entry_id),
    onSuccess: (edit, { entry: of }) => setHistory((all) => [...all, { edit, entry: of }]),
    // Somebody else decided it: it does not come back.
    onError: (failure, { entry: of }) => failure.code !== 'conflict' && comeBack(of.entry_id),
    onSettled: refresh,
  });
  const undoing = useMutation<Edit, ApiError, Done>({
    mutationFn: ({ edit }) => api.undo_edit({ dataset_id: queue.dataset_id, edit_id: edit.edit_id ?? undefined }),
    onSuccess: (_edit, { entry: of }) => {
      setHistory((all) => all.slice(0, -1));
      comeBack(of.entry_id);
      if (of.entry_id !== '') setReturned(of);
    },
    onSettled: refresh,
  });

  usePreload(queue.dataset_id, following[0], client);
  const last = history.at(-1);
  const nLeaving = (data?.entries ?? []).filter(({ entry_id }) => gone.has(entry_id)).length;
  return {
    entry,
    following,
    isLoading: data === undefined || (entry === undefined && isPlaceholderData),
    error,
    retry: () => void refetch(),
    failure: decision.error ?? undoing.error,
    queueId: data?.queue_id ?? '',
    left: data === undefined ? undefined : Math.max(0, data.left - nLeaving),
    done: data === undefined ? 0 : data.done.reduce((sum, { count }) => sum + count, 0) + nLeaving,
    people: data?.done ?? [],
    nSkipped: skipped.length,
    last,
    decide: (of: ReviewEntry, chosen: Decision, selection: ApiInput<'decide_review'>['media_selection']) => {
      undoing.reset();
      const queued = { dataset_id: queue.dataset_id, queue_id: data?.queue_id ?? '', media_selection: selection };
      decision.mutate({ entry: of, input: { ...queued, ...chosen } });
    },
    skip: (of: ReviewEntry) => {
      setSkipped([...skipped, of.entry_id]);
      setReturned(undefined);
    },
    backToSkipped: () => setSkipped([]),
    undo: () => last !== undefined && !undoing.isPending && undoing.mutate(last),
    /** Adds an edit of many entries to what can be undone. */
    noteBulk: (edit: Edit, of: ReviewEntry) => {
      setHistory((all) => [...all, { edit, entry: { ...of, entry_id: '' } }]);
      void refresh();
    },
  };
}

/** Fetches the next image while the user looks at the current one. */
function usePreload(datasetId: string, next: ReviewEntry | undefined, client: ReturnType<typeof useQueryClient>): void {
  const images = useRef<HTMLImageElement[]>([]);
  const items = next === undefined ? [] : (next.group?.items.slice(0, 2) ?? [next.item]);
  const uris = items.map(({ original_uri }) => original_uri).join(' ');
  const ids = items.map(({ image_id }) => image_id).join(' ');
  useEffect(() => {
    images.current = uris.split(' ').map((uri) => Object.assign(new Image(), { src: uri }));
    for (const id of ids.split(' ').filter((one) => one !== '')) {
      void client.prefetchQuery(operationQuery('get_dataset_image', { dataset_id: datasetId, image_id: id }));
    }
  }, [uris, ids, datasetId, client]);
}
