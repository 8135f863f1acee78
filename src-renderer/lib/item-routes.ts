import type { ExploredType, Preview } from '../../src-main/contract/schemas/explore.ts';
import { isComparing } from './filters.ts';
import { type ItemPlace, type Place, routes } from './routes.ts';

type Shown = Pick<Preview, 'type' | 'media_id' | 'image_id'>;

/** The page of an item. For an object, the page of its image with the object highlighted. */
export function routeOfItem(datasetId: string, item: Shown, place: ItemPlace): string {
  return routes.item(datasetId, item.image_id, {
    ...place,
    object: item.type === 'OBJECT' ? item.media_id : undefined,
  });
}

/**
 * The search for items similar to an item, among its type: objects for an object, videos for a frame that represents one.
 * Label filters are retained, text is removed: results have one order of similarity.
 */
export function routeOfSimilar(datasetId: string, item: Shown, place: Place): string {
  if (item.type === 'OBJECT') return routeOfSimilarObjects(datasetId, item.image_id, item.media_id, place);
  const type = similarType(item, place.type);
  return routes.explore(datasetId, {
    threshold: place.threshold,
    type,
    anchor: item.media_id,
    ...labelsFor(type, place),
  });
}

/** The search for objects similar to one object of an image. */
export function routeOfSimilarObjects(datasetId: string, imageId: string, objectId: string, place: Place): string {
  return routes.explore(datasetId, {
    threshold: place.threshold,
    type: 'OBJECTS',
    anchor: objectId,
    of: imageId,
    ...labelsFor('OBJECTS', place),
  });
}

/** The search for items similar to a query image. Other filters are retained. */
export function routeOfQueryImage(datasetId: string, anchor: string, place: Place): string {
  const { threshold, type, labels, labelMode } = place;
  const filters = place.filters.filter((filter) => !isComparing(filter));
  return routes.explore(datasetId, { threshold, type, anchor, uploaded: true, labels, labelMode, filters });
}

/** Label filters that also apply to the target: objects have their own labels, images and videos share theirs. */
function labelsFor(
  type: ExploredType,
  { type: listed, labels, labelMode }: Place,
): Pick<Place, 'labels' | 'labelMode'> {
  return (type === 'OBJECTS') === (listed === 'OBJECTS') ? { labels, labelMode } : { labels: [], labelMode: 'any' };
}

function similarType(item: Shown, listed: ExploredType): ExploredType {
  return item.type === 'VIDEO_FRAME' && listed === 'VIDEOS' ? 'VIDEOS' : 'IMAGES';
}
