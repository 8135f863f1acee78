import { useState } from 'react';
import { api } from '../../lib/api.ts';
import type { ApiError } from '../../lib/api-error.ts';
import type { UploadSelection } from '../../lib/upload-selection.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import { useStoppableWork } from '../../lib/use-stoppable-work.ts';

export interface SentBytes {
  done: number;
  total: number;
}

interface Addition {
  /** Update the clusters after the new media are imported. */
  regroup: boolean;
}

export interface AddMediaWork {
  busy: boolean;
  /** Progress while files are uploaded. */
  sent: SentBytes | null;
  error: ApiError | null;
  fromLocation(location: string, role: string, addition: Addition): Promise<void>;
  /** Uploads the files or the archive in one request: one batch, or nothing. */
  fromUpload(selection: UploadSelection, addition: Addition): Promise<void>;
  clearError(): void;
  stop(): void;
}

/** Adds one batch to a dataset. Calls back when the server has accepted it. */
export function useAddMedia(datasetId: string, onTaken: () => void): AddMediaWork {
  const refresh = useRefresh('list_datasets', 'get_dataset', 'list_tasks', 'list_batches');
  const [sent, setSent] = useState<SentBytes | null>(null);
  const { run, busy, error, clearError, stop } = useStoppableWork(() => setSent(null));

  const add = (work: (signal: AbortSignal) => Promise<unknown>) =>
    run(async (signal) => {
      await work(signal);
      await refresh();
      // After a stop, the dialog is closed and another may be open.
      if (!signal.aborted) onTaken();
    });
  return {
    busy,
    sent,
    error,
    fromLocation: (location, role, { regroup }) =>
      add((signal) =>
        api.add_media(
          {
            dataset_id: datasetId,
            s3_uri: location,
            assume_role: role.trim() === '' ? undefined : role.trim(),
            auto_reindex: regroup,
          },
          { signal },
        ),
      ),
    fromUpload: (selection, { regroup }) =>
      add((signal) => {
        const files =
          selection.kind === 'archive' ? [selection.archive] : selection.kind === 'files' ? selection.files : [];
        const parts = files.map(({ file, relativePath }) => ({ file, file_name: relativePath }));
        const [archive] = parts;
        const onSent = (done: number, total: number) => setSent({ done, total });
        onSent(
          0,
          files.reduce((sum, { file }) => sum + file.size, 0),
        );
        return api.add_media(
          {
            dataset_id: datasetId,
            auto_reindex: regroup,
            ...(selection.kind === 'archive' && archive !== undefined ? { archive } : { files: parts }),
          },
          { signal, onSent },
        );
      }),
    clearError,
    stop,
  };
}
