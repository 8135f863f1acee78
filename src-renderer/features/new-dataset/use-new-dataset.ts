import { useRef, useState } from 'react';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import type { DroppedFile } from '../../lib/dropped-files.ts';
import { navigate } from '../../lib/location.ts';
import { routes } from '../../lib/routes.ts';
import { type UploadProgress, uploadFiles } from '../../lib/upload.ts';
import { useRefresh } from '../../lib/use-refresh.ts';
import { useStoppableWork } from '../../lib/use-stoppable-work.ts';
import type { ChosenEncoder } from './EncoderField.tsx';

interface NewDatasetChoices {
  encoder?: string;
  workspace_id?: string;
}

/** A draft that receives an upload. `own`: created here, so it is deleted when the user cancels. */
interface Draft {
  datasetId: string;
  /** None before the first file is sent. Archives need none. */
  transactionId: number | null;
  own: boolean;
  sent: Set<DroppedFile>;
  accepted: number;
}

export interface NewDatasetWork {
  busy: boolean;
  progress: UploadProgress | null;
  error: ApiError | null;
  /** @param location A folder, an object storage address, or a list. */
  fromLocation(name: string, location: string): Promise<void>;
  /** Uploads files to a new or given draft and starts indexing. A second call continues after a failure. */
  fromFiles(name: string, files: readonly DroppedFile[], draftId: string | undefined): Promise<void>;
  /** Uploads an archive as the first media of the dataset. */
  fromArchive(name: string, archive: DroppedFile, draftId: string | undefined): Promise<void>;
  clearError(): void;
  /** Stops the upload and deletes a draft that was created here. */
  giveUp(): void;
}

/**
 * Creates a dataset, then closes the dialog and opens the dataset.
 * @param chosen Its model is downloaded if it is not installed. The dataset does not wait for the download.
 * @param options `workspaceId` is decided by the server if left out. `usesFolders`: names of folders become labels.
 */
export function useNewDataset(
  { id: encoder, package_to_fetch }: ChosenEncoder,
  { workspaceId, usesFolders }: { workspaceId: string | undefined; usesFolders: boolean },
  onMade: () => void,
): NewDatasetWork {
  const choices: NewDatasetChoices = {
    ...(encoder !== '' && { encoder }),
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
  };
  const labelling = usesFolders ? { labels_from: 'folders' as const } : {};
  const refresh = useRefresh('list_datasets', 'list_tasks', 'get_dataset');
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const { run, stop, busy, error, clearError } = useStoppableWork(() => setProgress(null));
  const draft = useRef<Draft | null>(null);

  const fetchEncoder = async (signal: AbortSignal) => {
    if (package_to_fetch === null) return;
    await api.download_package({ package_id: package_to_fetch }, { signal }).catch((error: unknown) => {
      // The download is already running or finished.
      if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
    });
  };
  const made = (datasetId: string) => {
    void refresh();
    draft.current = null;
    onMade();
    navigate(routes.explore(datasetId));
  };
  return {
    busy,
    progress,
    error,
    fromLocation: (name, location) =>
      run(async (signal) => {
        await fetchEncoder(signal);
        const { dataset_id } = await api.create_dataset(
          { dataset_name: name, bucket_path: location, ...labelling, ...choices },
          { signal },
        );
        made(dataset_id);
      }),
    fromFiles: (name, files, draftId) =>
      run(async (signal) => {
        await fetchEncoder(signal);
        draft.current ??= await openDraft(name, choices, draftId, signal);
        const current = draft.current;
        const { datasetId, sent } = current;
        current.transactionId ??= (await api.open_transaction({ dataset_id: datasetId }, { signal })).trans_id;
        const { transactionId } = current;
        const outcome = await uploadFiles({ datasetId, transactionId, files, sent, signal, onProgress: setProgress });
        current.accepted += outcome.accepted;
        if (current.accepted === 0) {
          sent.clear();
          throw new ApiError('invalid_request', outcome.refused[0]?.reason ?? '');
        }
        await api.process_files({ dataset_id: datasetId, transaction_id: transactionId, ...labelling }, { signal });
        made(datasetId);
      }),
    fromArchive: (name, { file, relativePath }, draftId) =>
      run(async (signal) => {
        await fetchEncoder(signal);
        draft.current ??= await openDraft(name, choices, draftId, signal);
        const { datasetId } = draft.current;
        const onSent = (bytesDone: number, bytesTotal: number) =>
          setProgress({ filesDone: 0, filesTotal: 1, bytesDone, bytesTotal });
        onSent(0, file.size);
        await api.upload_archive(
          { dataset_id: datasetId, file: { file, file_name: relativePath }, ...labelling },
          { signal, onSent },
        );
        made(datasetId);
      }),
    clearError,
    giveUp: () => {
      stop();
      const abandoned = draft.current;
      draft.current = null;
      if (abandoned?.own === true) {
        api.delete_dataset({ dataset_id: abandoned.datasetId }).then(refresh, refresh);
      }
    },
  };
}

async function openDraft(
  name: string,
  choices: NewDatasetChoices,
  draftId: string | undefined,
  signal: AbortSignal,
): Promise<Draft> {
  const datasetId = draftId ?? (await api.new_dataset({ dataset_name: name, ...choices }, { signal })).dataset_id;
  return { datasetId, transactionId: null, own: draftId === undefined, sent: new Set(), accepted: 0 };
}
