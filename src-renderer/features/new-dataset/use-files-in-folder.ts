import { useDeferredValue } from 'react';
import { useOperation } from '../../lib/use-operation.ts';

/** Media files directly inside a local folder; null where that is not known, or more may lie deeper. */
export function useFilesInFolder(location: string): number | null {
  const path = useDeferredValue(location.trim());
  const isFolder = /^(\/|[A-Za-z]:[\\/])/.test(path);
  const { data } = useOperation('list_folder', { path }, { enabled: isFolder, retry: false });
  return isFolder && data !== undefined && data.folders.length === 0 ? data.n_media : null;
}
