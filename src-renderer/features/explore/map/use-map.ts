import { keepPreviousData } from '@tanstack/react-query';
import type { MapColour } from '../../../../src-main/contract/schemas/map.ts';
import { queryOf } from '../../../lib/explore-source.ts';
import type { Place } from '../../../lib/routes.ts';
import { useOperation } from '../../../lib/use-operation.ts';
import type { MapWindow } from './map-marks.ts';

/** Maximum number of thumbnails on the map. */
export const MAX_THUMBNAILS = 200;

/** The map of a place: results are bright, other items dim. */
export function mapQueryOf(datasetId: string, place: Place) {
  const { entity_type, ...others } = queryOf(place);
  return {
    dataset_id: datasetId,
    entity_type: entity_type === 'OBJECTS' ? ('OBJECTS' as const) : ('IMAGES' as const),
    ...others,
  };
}

export function mapColourOf({ map }: Place): MapColour {
  return map ?? 'cluster';
}

/** The level of clusters is chosen by the server unless the place names one. */
function colourQueryOf(place: Place) {
  const colour = mapColourOf(place);
  if (place.mapBy === undefined) return { colour };
  return colour === 'cluster' ? { colour, threshold: Number(place.mapBy) } : { colour, colour_by: place.mapBy };
}

/** Part of the map. */
export function useMap(datasetId: string, place: Place, window: MapWindow, enabled = true) {
  return useOperation(
    'get_map',
    { ...mapQueryOf(datasetId, place), ...colourQueryOf(place), ...window },
    { enabled, staleTime: 60_000, placeholderData: keepPreviousData },
  );
}

/** Items in part of the map, those nearest to its centre first. */
export function useMapItems(datasetId: string, place: Place, window: MapWindow | undefined, limit: number) {
  return useOperation(
    'list_map_items',
    { ...mapQueryOf(datasetId, place), ...(window ?? {}), limit },
    { enabled: window !== undefined, staleTime: 60_000, placeholderData: keepPreviousData },
  );
}
