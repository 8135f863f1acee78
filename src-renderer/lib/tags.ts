import type { Tag } from '../../src-main/contract/schemas/edit.ts';
import { useOperation } from './use-operation.ts';

/** The tags of a dataset by name. undefined while loading. */
export function useTags(datasetId: string): readonly Tag[] | undefined {
  return useOperation('list_tags', { dataset_id: datasetId }, { staleTime: 60_000 }).data;
}
