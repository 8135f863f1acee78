import type { WatchedFolder } from '../../src-main/contract/schemas/watched-folder.ts';
import { type Api, json, until } from '../support/api.ts';

const LIMIT_MS = 3_600_000;

/** Watches a folder for a dataset. Resolves when changes are being watched. */
export async function startWatching(api: Api, datasetId: string, path: string): Promise<void> {
  await api.call('POST', `/dataset/${datasetId}/watched_folders`, json({ path }));
  await until(
    () => api.get<{ watched_folders: WatchedFolder[] }>(`/dataset/${datasetId}/watched_folders`),
    ({ body }) => body.watched_folders[0]?.state === 'watching',
    LIMIT_MS,
  );
}
