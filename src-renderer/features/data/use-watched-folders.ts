import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { WatchedFolder } from '../../../src-main/contract/schemas/watched-folder.ts';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import { useOperation } from '../../lib/use-operation.ts';
import { useRefresh } from '../../lib/use-refresh.ts';

const SCANNING_POLL_MS = 1500;
const IDLE_POLL_MS = 8000;

export function useWatchedFolders(datasetId: string) {
  return useOperation(
    'list_watched_folders',
    { dataset_id: datasetId },
    {
      refetchInterval: ({ state }) =>
        state.data?.watched_folders.some((folder) => folder.state === 'scanning') ? SCANNING_POLL_MS : IDLE_POLL_MS,
    },
  );
}

type WatchAction<Argument> = UseMutationResult<unknown, ApiError, Argument>;

interface WatchActions {
  add: WatchAction<{ path: string; exclude: string[] }>;
  update: WatchAction<{ paused?: boolean; exclude?: string[] }>;
  rescan: WatchAction<void>;
  remove: WatchAction<void>;
}

/** Actions for watched folders. @param folder The folder for all actions except `add`. */
export function useWatchActions(datasetId: string, folder?: WatchedFolder): WatchActions {
  const onSettled = useRefresh('list_watched_folders', 'list_sources');
  const watchId = folder?.watch_id ?? '';
  return {
    add: useMutation<unknown, ApiError, { path: string; exclude: string[] }>({
      mutationFn: ({ path, exclude }) => api.add_watched_folder({ dataset_id: datasetId, path, exclude }),
      onSettled,
    }),
    update: useMutation<unknown, ApiError, { paused?: boolean; exclude?: string[] }>({
      mutationFn: (change) => api.update_watched_folder({ dataset_id: datasetId, watch_id: watchId, ...change }),
      onSettled,
    }),
    rescan: useMutation<unknown, ApiError, void>({
      mutationFn: () => api.rescan_watched_folder({ dataset_id: datasetId, watch_id: watchId }),
      onSettled,
    }),
    remove: useMutation<unknown, ApiError, void>({
      mutationFn: () => api.remove_watched_folder({ dataset_id: datasetId, watch_id: watchId }),
      onSettled,
    }),
  };
}

/** Patterns as typed: one per line, or separated by commas. */
export function patternsOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');
}
