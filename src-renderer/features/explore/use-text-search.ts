import type { ExploredType } from '../../../src-main/contract/schemas/explore.ts';
import { useOperation } from '../../lib/use-operation.ts';

/** What words can be compared with. */
export interface TextSearch {
  images: boolean;
  captions: boolean;
}

/** What words find in a dataset as it is enriched now; undefined until that is known. */
export function useTextSearch(datasetId: string, type: ExploredType): TextSearch | undefined {
  const { data: config } = useOperation('get_user_config', { dataset_id: datasetId }, { staleTime: 60_000 });
  const { data: context } = useOperation('get_enrichment_context', { dataset_id: datasetId }, { staleTime: 60_000 });
  const options = config?.features[0]?.feature_options;
  if (options === undefined || context === undefined) return undefined;
  const { semantic_search: images, captions_search } = options;
  // Where no model reads captions, a search in captions is one in images.
  const read = context.dataset_enrichment_models.enrichment_models.CAPTION_ENCODING !== undefined;
  return { images, captions: captions_search && read && type !== 'OBJECTS' };
}
