import { useEffect } from 'react';
import type { Preview } from '../../../src-main/contract/schemas/explore.ts';
import type { Image } from '../../../src-main/contract/schemas/image.ts';
import { isListed, isRanked, isTypicalFirst, useClusterItems, useExplore, useItems } from '../../lib/explore-source.ts';
import { useThreshold } from '../../lib/granularity.ts';
import type { Place } from '../../lib/routes.ts';
import { gridKeys, useScrollMemory } from '../../lib/scroll-memory.ts';

/** Number of neighbours prefetched on each side. */
const AHEAD = 24;

export interface Neighbours {
  total: number;
  /** Index of the shown item, -1 while unknown. */
  at: number;
  item(index: number): Preview | undefined;
  show(first: number, last: number): void;
  /** The neighbours are videos, each represented by an arbitrary frame. */
  wholeVideos: boolean;
  /** Their cluster. Undefined for search results and videos. */
  clusterId: string | undefined;
}

/** Neighbours of the shown item: in the list from which it was opened (clusters are represented by their covers), else in its cluster. */
export function useNeighbours(datasetId: string, imageId: string, place: Place, image: Image | undefined): Neighbours {
  const ofCluster = isTypicalFirst(place);
  const ofFlat = isListed(place) && !ofCluster;
  const ofList = (isRanked(place) || place.type === 'VIDEOS' || place.at !== undefined) && !ofFlat && !ofCluster;
  const threshold = useThreshold(datasetId, place);
  const clusterAtLevel = threshold === undefined ? undefined : image?.cluster_ids[threshold];
  const clusterId = ofList || ofFlat ? undefined : (place.cluster ?? clusterAtLevel);
  const items = useClusterItems(datasetId, clusterId, place);
  const matches = useExplore(datasetId, place, ofList);
  const flat = useItems(datasetId, place, { enabled: ofFlat });

  const listed = ofFlat ? flat : items;
  const item = (index: number) => (ofList ? matches.at(index)?.previews[0] : listed.at(index));
  const show = ofList ? matches.show : listed.show;
  const total = (ofList ? matches.total : listed.total) ?? 0;
  // An address may contain an index that the list does not have.
  const named = total > 0 && (place.at ?? 0) >= total ? undefined : place.at;
  const at = positionOf({ imageId, objectId: place.object }, named, Math.min(total, 200), item);

  const centre = named ?? at;
  useEffect(() => {
    if (centre >= 0) show(Math.max(0, centre - AHEAD), centre + AHEAD);
  }, [centre, show]);
  const gridKey = ofFlat || ofCluster ? gridKeys.listed(datasetId, place) : gridKeys.explored(datasetId, place);
  const see = useScrollMemory((state) => state.see);
  useEffect(() => {
    if (at >= 0) see(gridKey, at);
  }, [gridKey, at, see]);
  return { total, at, item, show, wholeVideos: place.type === 'VIDEOS' && !isRanked(place), clusterId };
}

/** The index in the route if the item is there, else its index among the first items. */
function positionOf(
  shown: { imageId: string; objectId: string | undefined },
  named: number | undefined,
  searched: number,
  item: (index: number) => Preview | undefined,
): number {
  const isShown = (candidate: Preview | undefined) =>
    candidate?.image_id === shown.imageId && (candidate.type !== 'OBJECT' || candidate.media_id === shown.objectId);
  if (named !== undefined && (item(named) === undefined || isShown(item(named)))) return named;
  for (let index = 0; index < searched; index += 1) if (isShown(item(index))) return index;
  return -1;
}
