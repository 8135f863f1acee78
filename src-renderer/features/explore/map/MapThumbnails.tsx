import type { Preview } from '../../../../src-main/contract/schemas/explore.ts';
import { NO_COLOUR } from '../../../../src-main/contract/schemas/map.ts';
import { itemName } from '../../../lib/item-name.ts';
import { routeOfItem } from '../../../lib/item-routes.ts';
import { linkTo, type Place } from '../../../lib/routes.ts';
import styles from './MapLayout.module.css';
import { type MapPalette, type MapWindow, type Marks, nearestMark } from './map-marks.ts';
import { cssColour } from './map-palette.ts';
import { MAX_THUMBNAILS, useMapItems } from './use-map.ts';
import { type MapFrame, seenWindow } from './use-map-window.ts';

const THUMB_PX = 56;
/** Distance between thumbnails. They may overlap slightly. */
const STEP_PX = 48;
/** Maximum number of visible marks per thumbnail for which thumbnails are fetched. */
const CROWD = 8;

interface MapThumbnailsProps {
  datasetId: string;
  place: Place;
  frame: MapFrame;
  /** The visible part once it has stopped moving. */
  window: MapWindow;
  marks: Marks;
  palette: MapPalette;
  /** Whether the marks are those of the whole map. */
  isAll: boolean;
}

/** Thumbnails instead of marks where few enough are visible. */
export function MapThumbnails({ datasetId, place, frame, window, marks, palette, isAll }: MapThumbnailsProps) {
  const isNear = (isAll ? marks.n * window.side ** 2 : marks.n) <= CROWD * MAX_THUMBNAILS;
  const { data } = useMapItems(datasetId, place, isNear ? seenWindow(frame, window) : undefined, MAX_THUMBNAILS);
  if (!isNear || data === undefined || data.total > MAX_THUMBNAILS) return null;
  const colourAt = (x: number, y: number) => {
    const colour = marks.colours[nearestMark(marks, x, y, 1)] ?? NO_COLOUR;
    return cssColour(palette.colours[colour] ?? palette.ground);
  };
  return placed(data.items, frame).map(({ item, left, top }) => (
    <a
      key={item.media_id}
      className={styles.thumbnail}
      href={linkTo(routeOfItem(datasetId, item, place))}
      style={{
        left: left - THUMB_PX / 2,
        top: top - THUMB_PX / 2,
        width: THUMB_PX,
        height: THUMB_PX,
        borderColor: colourAt(item.map_x, item.map_y),
      }}
      title={itemName(item)}
      data-testid="map-thumbnail"
      draggable={false}
    >
      <img src={item.media_thumb_uri} alt={itemName(item)} draggable={false} />
    </a>
  ));
}

/** The visible items that fit, nearest to the centre first. */
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
