import { useCallback } from 'react';
import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import { routeOfSimilar } from './item-routes.ts';
import { navigate } from './location.ts';
import type { Place } from './routes.ts';

/** Returns a stable function that opens the search for items similar to an item of the place. */
export function useFindSimilar(datasetId: string, place: Place): (item: Preview | undefined) => void {
  return useCallback(
    (item) => {
      if (item !== undefined) navigate(routeOfSimilar(datasetId, item, place));
    },
    [datasetId, place],
  );
}
