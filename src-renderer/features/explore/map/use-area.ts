import { useState } from 'react';
import { api } from '../../../lib/api.ts';
import type { ApiError } from '../../../lib/api-error.ts';
import { queryOf } from '../../../lib/explore-source.ts';
import type { PlaceFilter } from '../../../lib/filters.ts';
import { navigate } from '../../../lib/location.ts';
import { type Place, routes } from '../../../lib/routes.ts';
import { useChosen, useSelection } from '../../../lib/selection.ts';
import type { Area } from './use-map-lasso.ts';

export interface DrawnArea {
  /** The area of the selection. */
  shown: Area | undefined;
  /** Why the last area could not be selected. */
  error: ApiError | undefined;
  /** Selects the items in an area. */
  choose(area: Area): void;
  /** Filters by the area. */
  filter(): void;
  forgetError(): void;
}

/** Areas drawn on a map: their items are selected and can be used as a filter. */
export function useArea(datasetId: string, mapId: string, place: Place): DrawnArea {
  const change = useSelection((selection) => selection.change);
  const chosen = useChosen(datasetId);
  const [drawn, setDrawn] = useState<{ area: Area; key: string } | undefined>(undefined);
  const [error, setError] = useState<ApiError | undefined>(undefined);
  // The area is removed together with its selection.
  const shown = drawn !== undefined && chosen.has(drawn.key) ? drawn.area : undefined;
  const filtersOf = (area: Area): PlaceFilter[] => [
    ...place.filters,
    { map: { op: 'inside', map_id: mapId, value: area } },
  ];

  const choose = async (area: Area) => {
    const query = queryOf({ ...place, filters: filtersOf(area) });
    const key = `map ${JSON.stringify(area)}`;
    try {
      const { total } = await api.get_facets({ dataset_id: datasetId, ...query });
      setError(undefined);
      setDrawn(total === 0 ? undefined : { area, key });
      if (total === 0) return;
      change(datasetId, (all) => all.set(key, { part: { type: 'query', payload: query }, count: total }));
    } catch (failed) {
      setError(failed as ApiError);
    }
  };
  return {
    shown,
    error,
    choose: (area) => void choose(area),
    filter: () => {
      if (shown !== undefined) navigate(routes.explore(datasetId, { ...place, filters: filtersOf(shown) }));
    },
    forgetError: () => setError(undefined),
  };
}
