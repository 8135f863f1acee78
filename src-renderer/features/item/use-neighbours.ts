import { useEffect } from 'react';
import type { Preview } from '../../../src-main/contract/schemas/explore.ts';
import type { Image } from '../../../src-main/contract/schemas/image.ts';
import { useClusterItems, useExplore } from '../../lib/explore-source.ts';
import type { ItemPlace, Threshold } from '../../lib/routes.ts';

/** Neighbours whose pages are fetched ahead on either side. */
const AHEAD = 24;

export interface Neighbours {
  total: number;
  /** Where the shown item stands, -1 while it is not known. */
  at: number;
  item(index: number): Preview | undefined;
  show(first: number, last: number): void;
  /** The cluster they are of; none for the matches of a search. */
  clusterId: string | undefined;
}

/** The items beside the shown one: of the search it was found by, else of its cluster. */
export function useNeighbours(
  datasetId: string,
  imageId: string,
  place: ItemPlace & { threshold: Threshold },
  image: Image | undefined,
): Neighbours {
  const { anchor, threshold } = place;
  const ofSearch = anchor !== undefined && place.cluster === undefined;
  const clusterId = ofSearch ? undefined : (place.cluster ?? image?.cluster_ids[threshold]);
  const items = useClusterItems(datasetId, clusterId);
  const matches = useExplore({ datasetId, threshold, anchor, enabled: ofSearch });

  const item = (index: number) => (ofSearch ? matches.at(index)?.previews[0] : items.at(index));
  const show = ofSearch ? matches.show : items.show;
  const total = (ofSearch ? matches.total : items.total) ?? 0;
  const at = positionOf(imageId, place.at, Math.min(total, 200), item);

  const centre = place.at ?? at;
  useEffect(() => {
    if (centre >= 0) show(Math.max(0, centre - AHEAD), centre + AHEAD);
  }, [centre, show]);
  return { total, at, item, show, clusterId };
}

/** The place that the route names if the item is there, else where it is found among the first. */
function positionOf(
  imageId: string,
  named: number | undefined,
  searched: number,
  item: (index: number) => Preview | undefined,
): number {
  if (named !== undefined && (item(named) === undefined || item(named)?.image_id === imageId)) return named;
  for (let index = 0; index < searched; index += 1) if (item(index)?.image_id === imageId) return index;
  return -1;
}
