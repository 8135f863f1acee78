import type { Preview } from '../../../../src-main/contract/schemas/explore.ts';
import { itemName } from '../../../lib/item-name.ts';
import { routeOfItem } from '../../../lib/item-routes.ts';
import { linkTo, type Place } from '../../../lib/routes.ts';
import styles from './MapLayout.module.css';
import type { MapWindow } from './map-marks.ts';
import { MOST_THUMBNAILS, useMapItems } from './use-map.ts';
import { type MapFrame, seenWindow } from './use-map-window.ts';

const THUMB_PX = 64;
/** Thumbnails may lie over each other by so much. */
const STEP_PX = 40;

interface MapThumbnailsProps {
  datasetId: string;
  place: Place;
  frame: MapFrame;
  /** What is seen, once it stays so. */
  window: MapWindow;
  nMarks: number;
  /** Whether the marks are those of the whole map. */
  isAll: boolean;
}

/** Thumbnails instead of marks, where so few are in sight that there is room for them. */
export function MapThumbnails({ datasetId, place, frame, window, nMarks, isAll }: MapThumbnailsProps) {
  const isNear = isAll ? nMarks * window.side ** 2 <= 8 * MOST_THUMBNAILS : nMarks <= 8 * MOST_THUMBNAILS;
  const { data } = useMapItems(datasetId, place, isNear ? seenWindow(frame, window) : undefined, MOST_THUMBNAILS);
  if (!isNear || data === undefined || data.total > MOST_THUMBNAILS) return null;
  return placed(data.items, frame).map(({ item, left, top }) => (
    <a
      key={item.media_id}
      className={styles.thumbnail}
      href={linkTo(routeOfItem(datasetId, item, place))}
      style={{ left: left - THUMB_PX / 2, top: top - THUMB_PX / 2, width: THUMB_PX, height: THUMB_PX }}
      title={itemName(item)}
      data-testid="map-thumbnail"
      draggable={false}
    >
      <img src={item.media_thumb_uri} alt={itemName(item)} draggable={false} />
    </a>
  ));
}

/** Those that are in sight and find room, the nearest to the middle first. */
function placed<Item extends Preview & { map_x: number; map_y: number }>(items: readonly Item[], frame: MapFrame) {
  const taken = new Set<string>();
  return items.flatMap((item) => {
    const left = (item.map_x - frame.left) * frame.scale;
    const top = (item.map_y - frame.top) * frame.scale;
    const cell = `${Math.round(left / STEP_PX)} ${Math.round(top / STEP_PX)}`;
    if (left < 0 || top < 0 || left > frame.width || top > frame.height || taken.has(cell)) return [];
    taken.add(cell);
    return [{ item, left, top }];
  });
}
