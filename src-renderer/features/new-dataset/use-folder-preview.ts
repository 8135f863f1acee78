import { useEffect, useState } from 'react';
import type { FolderPreview } from '../../../src-main/contract/schemas/folder-preview.ts';
import { useOperation } from '../../lib/use-operation.ts';

/** Time in ms without typing after which a folder is read. */
const QUIET_MS = 400;

/** Returns the content of a local folder; undefined while it is read, and for other locations. */
export function useFolderPreview(location: string): FolderPreview | undefined {
  const typed = location.trim();
  const [path, setPath] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setPath(typed), QUIET_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const isFolder = /^(\/|[A-Za-z]:[\\/]|file:)/.test(path) && !/\.(csv|txt|parquet)$/i.test(path);
  const { data } = useOperation('preview_folder', { path }, { enabled: isFolder, retry: false, staleTime: 10_000 });
  return isFolder && path === typed ? data : undefined;
}
