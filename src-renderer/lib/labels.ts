import type { ExploredType } from '../../src-main/contract/schemas/explore.ts';
import { useOperation } from './use-operation.ts';

/** The server's name for "without labels". */
export const UNLABELED = 'Unlabeled';

export interface LabelCount {
  name: string;
  count: number;
}

/** Labels of images (shared by videos) or of objects, most frequent first. undefined while loading. */
export function useLabels(datasetId: string, type: ExploredType, enabled = true): readonly LabelCount[] | undefined {
  const { data } = useOperation(
    'get_exploration_metadata',
    { dataset_id: datasetId, entity_type: type === 'OBJECTS' ? 'OBJECTS' : 'IMAGES' },
    { enabled, staleTime: 60_000 },
  );
  return data?.labels;
}
