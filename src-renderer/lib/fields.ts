import type { MetadataField } from '../../src-main/contract/schemas/custom-metadata.ts';
import { useOperation } from './use-operation.ts';

const IMPORTING_POLL_MS = 1000;

/** The custom metadata fields of a dataset, polled during imports. */
export function useFields(datasetId: string, enabled = true) {
  return useOperation(
    'get_custom_metadata_schema',
    { dataset_id: datasetId },
    { enabled, refetchInterval: ({ state }) => (state.data?.some(isImporting) ? IMPORTING_POLL_MS : false) },
  );
}

export function isImporting({ status }: Pick<MetadataField, 'status'>): boolean {
  return status === 'IN_PROGRESS';
}
