import type { ExploredType } from '../../src-main/contract/schemas/explore.ts';
import { useOperation } from './use-operation.ts';

/** The core's name for the choice of what has no label. */
export const UNLABELED = 'Unlabeled';

export interface LabelCount {
  name: string;
  count: number;
}

/** The labels of images (videos share theirs) or of objects, the most frequent first; undefined until they are known. */
export function useLabels(datasetId: string, type: ExploredType, enabled = true): readonly LabelCount[] | undefined {
  const { data } = useOperation(
    'get_exploration_metadata',
    { dataset_id: datasetId, entity_type: type === 'OBJECTS' ? 'OBJECTS' : 'IMAGES' },
    { enabled, staleTime: 60_000 },
  );
  return data?.labels;
}
