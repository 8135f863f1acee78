import { DEFAULT_THRESHOLD, type ExploredType } from '../../src-main/contract/schemas/explore.ts';
import { type Place, THRESHOLDS, type Threshold } from './routes.ts';
import { useOperation } from './use-operation.ts';

/** The granularity of a place: from its address, else the dataset's default. Undefined while unknown. */
export function useThreshold(
  datasetId: string,
  { threshold, type }: Pick<Place, 'threshold'> & { type: ExploredType },
  enabled = true,
): Threshold | undefined {
  const { data, isError } = useOperation(
    'get_levels',
    { dataset_id: datasetId, entity_type: type === 'OBJECTS' ? type : 'IMAGES' },
    { enabled: enabled && threshold === undefined },
  );
  if (threshold !== undefined) return threshold;
  if (data === undefined && !isError) return undefined;
  return THRESHOLDS.find((candidate) => candidate === (data?.default_threshold ?? DEFAULT_THRESHOLD));
}
