import type { UseQueryResult } from '@tanstack/react-query';
import type { CallableOperationId } from '../../src-main/contract/contract.ts';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import { useMay } from './account.ts';
import type { ApiError } from './api-error.ts';
import { useOperation } from './use-operation.ts';

const CHANGING_POLL_MS = 1500;
const IDLE_POLL_MS = 5_000;

/** Display states of a dataset. */
export type DatasetState =
  | 'draft'
  | 'uploading'
  | 'indexing'
  | 'processing'
  | 'enriching'
  | 'pending'
  | 'ready'
  | 'stopped'
  | 'failed';

export function stateOf(
  dataset: Pick<Dataset, 'status' | 'status_new' | 'source_dataset_id' | 'stopped'>,
): DatasetState {
  switch (dataset.status_new) {
    case 'DRAFT':
      return dataset.status === 'UPLOADING' ? 'uploading' : 'draft';
    case 'INDEXING':
      // A copy is created by its enrichment.
      return dataset.source_dataset_id === null ? 'indexing' : 'enriching';
    case 'READ ONLY':
      return dataset.status === 'ENRICHING' ? 'enriching' : 'processing';
    case 'PARTIAL INDEX':
      return 'pending';
    case 'READY':
      return 'ready';
    case 'ERROR':
      return dataset.stopped ? 'stopped' : 'failed';
  }
}

export function isChanging(dataset: Dataset): boolean {
  const state = stateOf(dataset);
  return state === 'indexing' || state === 'uploading' || state === 'processing' || state === 'enriching';
}

/** Whether a copy of the dataset is being enriched, which makes the dataset read-only. The task belongs to the copy. */
export function isSourceOfWork(dataset: Dataset): boolean {
  return stateOf(dataset) === 'enriching' && dataset.status_new === 'READ ONLY';
}

/** Whether its clusters can be shown. During re-indexing the previous clusters stay until the end. */
export function isExplorable(dataset: Dataset): boolean {
  if (dataset.status_new === 'INDEXING') return dataset.preview_uris.length > 0;
  const state = stateOf(dataset);
  return state === 'ready' || state === 'pending' || state === 'processing' || state === 'enriching';
}

/** Whether media can be added now. */
export function takesMedia(dataset: Dataset): boolean {
  const state = stateOf(dataset);
  return state === 'ready' || state === 'pending';
}

export function useDatasets(): UseQueryResult<Dataset[], ApiError> {
  return useOperation(
    'list_datasets',
    {},
    { refetchInterval: ({ state }) => (state.data?.some(isChanging) ? CHANGING_POLL_MS : IDLE_POLL_MS) },
  );
}

export function useDataset(datasetId: string): UseQueryResult<Dataset, ApiError> {
  return useOperation(
    'get_dataset',
    { dataset_id: datasetId },
    {
      refetchInterval: ({ state }) =>
        state.data !== undefined && isChanging(state.data) ? CHANGING_POLL_MS : IDLE_POLL_MS,
    },
  );
}

/** Returns whether the user may call an operation on a dataset. See {@link useMay}. */
export function useMayOn(datasetId: string): (operation: CallableOperationId) => boolean {
  const may = useMay();
  const { data: dataset } = useOperation('get_dataset', { dataset_id: datasetId });
  return (operation) => dataset !== undefined && may(operation, dataset);
}
