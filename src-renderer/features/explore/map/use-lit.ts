import { useMemo } from 'react';
import { useChosen } from '../../../lib/selection.ts';
import { useOperation } from '../../../lib/use-operation.ts';

/** Maximum number of selected items that get a ring. */
const MAX_LIT = 500;
const NONE = new Float32Array();

/** Positions of the selected items, x and y alternating. A drawn area shows its items itself. */
export function useLit(datasetId: string, entityType: 'IMAGES' | 'OBJECTS'): Float32Array {
  const chosen = useChosen(datasetId);
  const parts = [...chosen.values()].map(({ part }) => part);
  const media = parts.flatMap((part) => (part.type === 'media' ? part.payload.media_ids : [])).slice(0, MAX_LIT);
  const clusters = parts.flatMap((part) => (part.type === 'cluster' ? [part.payload.cluster_id] : []));
  const input = { dataset_id: datasetId, entity_type: entityType, limit: MAX_LIT };
  const ofMedia = useOperation(
    'list_map_items',
    { ...input, vql: JSON.stringify([{ media: { op: 'one_of', value: media } }]) },
    { enabled: media.length > 0, staleTime: 60_000 },
  ).data;
  const ofClusters = useOperation(
    'list_map_items',
    { ...input, vql: JSON.stringify([{ clusters: { op: 'one_of', value: clusters } }]) },
    { enabled: clusters.length > 0, staleTime: 60_000 },
  ).data;
  return useMemo(() => {
    const items = [...(ofMedia?.items ?? []), ...(ofClusters?.items ?? [])];
    return items.length === 0 ? NONE : Float32Array.from(items.flatMap(({ map_x, map_y }) => [map_x, map_y]));
  }, [ofMedia, ofClusters]);
}
