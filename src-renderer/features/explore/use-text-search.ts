import type { ExploredType } from '../../../src-main/contract/schemas/explore.ts';
import type { TextWithin } from '../../lib/routes.ts';
import { useOperation } from '../../lib/use-operation.ts';

/** The kinds of content with which text can be compared in a dataset, best first. undefined while loading. */
export function useTextSearch(datasetId: string, type: ExploredType): readonly TextWithin[] | undefined {
  const { data: config } = useOperation('get_user_config', { dataset_id: datasetId }, { staleTime: 60_000 });
  const options = config?.features[0]?.feature_options;
  if (options === undefined) return undefined;
  return [...options.semantic_by.filter((by) => by === 'images' || type !== 'OBJECTS'), 'words'];
}
