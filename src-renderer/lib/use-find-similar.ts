import { useCallback } from 'react';
import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import { routeOfSimilar } from './item-routes.ts';
import { navigate } from './location.ts';
import type { Place } from './routes.ts';

/** Goes to what is like an item of a place; the same function while the place is the same. */
export function useFindSimilar(datasetId: string, place: Place): (item: Preview | undefined) => void {
  return useCallback(
    (item) => {
      if (item !== undefined) navigate(routeOfSimilar(datasetId, item, place));
    },
    [datasetId, place],
  );
}
