import { useDeferredValue } from 'react';
import { useOperation } from '../../lib/use-operation.ts';

/** Number of media files directly in a local folder. null if unknown or if there are subfolders. */
export function useFilesInFolder(location: string): number | null {
  const path = useDeferredValue(location.trim());
  const isFolder = /^(\/|[A-Za-z]:[\\/])/.test(path);
  const { data } = useOperation('list_folder', { path }, { enabled: isFolder, retry: false });
  return isFolder && data !== undefined && data.folders.length === 0 ? data.n_media : null;
}
