import { useTranslation } from 'react-i18next';
import { itemName } from '../../../lib/item-name.ts';
import type { Place } from '../../../lib/routes.ts';
import styles from './MapLayout.module.css';
import { type Marks, nearestMark } from './map-marks.ts';
import { useMapItems } from './use-map.ts';
import type { MapFrame } from './use-map-window.ts';
import { useSettled } from './use-settled.ts';

/** Width of the hover card in pixels. */
const CARD_PX = 136;

interface MapHoverProps {
  datasetId: string;
  place: Place;
  frame: MapFrame;
  marks: Marks;
  /** Position of the pointer on the map. */
  pointed: { x: number; y: number } | undefined;
  reachPx: number;
}

/** The item of the hovered mark, with a ring around the mark. */
export function MapHover({ datasetId, place, frame, marks, pointed, reachPx }: MapHoverProps) {
  const { t } = useTranslation();
  const reach = reachPx / frame.scale + marks.cellSide / 2;
  const mark = pointed === undefined ? -1 : nearestMark(marks, pointed.x, pointed.y, reach);
  const rested = useSettled(mark);
  const isRested = mark >= 0 && rested === mark;
  const side = Math.max(marks.cellSide, 2 / frame.scale);
  const [x, y] = [marks.places[mark * 2] ?? 0, marks.places[mark * 2 + 1] ?? 0];
  const window = { x: x - side / 2, y: y - side / 2, side };
  const { data, isPlaceholderData } = useMapItems(datasetId, place, isRested ? window : undefined, 1);
  if (mark < 0) return null;
  const [left, top] = [(x - frame.left) * frame.scale, (y - frame.top) * frame.scale];
  const item = isRested && !isPlaceholderData ? data?.items[0] : undefined;
  const more = (data?.total ?? 1) - 1;
  return (
    <>
      <span className={styles.ring} style={{ left, top }} aria-hidden="true" />
      {item !== undefined && (
        <div
          className={styles.hover}
          style={{
            width: CARD_PX,
            left: left + CARD_PX + 24 > frame.width ? left - CARD_PX - 16 : left + 16,
            top: Math.max(8, Math.min(top - 24, frame.height - CARD_PX - 48)),
          }}
          data-testid="map-hover"
        >
          <img src={item.media_thumb_uri} alt="" />
          <span className={styles.name}>{itemName(item)}</span>
          {more > 0 && <span className={styles.more}>{t('map.more', { count: more })}</span>}
        </div>
      )}
    </>
  );
}
