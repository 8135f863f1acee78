import { useTranslation } from 'react-i18next';
import type { MapView } from '../../../../src-main/contract/schemas/map.ts';
import type { Place } from '../../../lib/routes.ts';
import { nameOf } from './legend-names.ts';
import styles from './MapLayout.module.css';
import { mapColourOf } from './use-map.ts';
import type { MapFrame } from './use-map-window.ts';

/** Room that a name needs, in pixels. */
const ROOM = { width: 120, height: 20 };

interface MapNamesProps {
  place: Place;
  view: MapView;
  frame: MapFrame;
}

/** Names of the colours where most of their items are. Of names that would overlap, the more frequent one is shown. */
export function MapNames({ place, view, frame }: MapNamesProps) {
  const { t } = useTranslation();
  const colour = mapColourOf(place);
  const shown: { value: string; name: string; left: number; top: number }[] = [];
  for (const [at, entry] of view.legend.entries()) {
    if (entry.x === null || entry.y === null || (colour === 'cluster' && entry.name === null)) continue;
    const [left, top] = [(entry.x - frame.left) * frame.scale, (entry.y - frame.top) * frame.scale];
    if (left < 0 || top < 0 || left > frame.width || top > frame.height) continue;
    const isFree = shown.every(
      (other) => Math.abs(other.left - left) > ROOM.width || Math.abs(other.top - top) > ROOM.height,
    );
    if (isFree) shown.push({ value: entry.value, name: nameOf(colour, entry, at, t), left, top });
  }
  return shown.map(({ value, name, left, top }) => (
    <span key={value} className={styles.placeName} style={{ left, top }} aria-hidden="true" data-testid="map-name">
      {name}
    </span>
  ));
}
