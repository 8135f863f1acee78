import type { TFunction } from 'i18next';
import type { IssueName } from '../../../../src-main/contract/schemas/issues.ts';
import type { MapColour, MapView } from '../../../../src-main/contract/schemas/map.ts';
import type { PlaceFilter } from '../../../lib/filters.ts';
import { formatMeasure } from '../../../lib/format.ts';
import type { Place } from '../../../lib/routes.ts';
import { mapColourOf } from './use-map.ts';

type Entry = MapView['legend'][number];

/** The filter of an entry. Sharpness and uniqueness have none. */
export function filterOf(place: Place, { value, from, to }: Entry): PlaceFilter | undefined {
  const colour = mapColourOf(place);
  switch (colour) {
    case 'cluster':
      return { clusters: { op: 'one_of', value: [value] } };
    case 'label':
      return { labels: { op: 'is', value: [value] } };
    case 'tag':
      return { tags: { op: 'is', value: [value] } };
    case 'folder':
      return value === '' ? undefined : { folders: { op: 'one_of', value: [value] } };
    case 'issue':
      return { issues: { op: 'issue', value, mode: 'in' } };
    case 'media_type':
      return { media_type: { op: 'one_of', value: [value] } };
    case 'width':
    case 'height':
    case 'created':
      return { [colour]: { op: 'range', from, to } };
    case 'field': {
      const field = place.mapBy ?? '';
      return { metadata: from === null ? { field, op: 'is', value: [value] } : { field, op: 'range', from, to } };
    }
    case 'quality':
    case 'uniqueness':
      return undefined;
  }
}

/** @param at Position in the legend. */
export function nameOf(colour: MapColour, entry: Entry, at: number, t: TFunction): string {
  const { value, name, from, to } = entry;
  if (from !== null && to !== null) return rangeName(from, to);
  switch (colour) {
    case 'cluster':
      return name ?? t('map.unnamed', { number: at + 1 });
    case 'tag':
      return name ?? value;
    case 'folder':
      return value === '' ? t('map.noFolder') : value;
    case 'issue':
      return t(`issues.names.${value as IssueName}`);
    case 'media_type':
      return t(value === 'image' ? 'map.images' : 'map.frames');
    case 'quality':
      return t(`map.quality.${value as '1' | '2' | '3' | '4' | '5'}`);
    default:
      return value;
  }
}

/** Times by day. */
function rangeName(from: number | string, to: number | string): string {
  const [first, last] = [from, to].map((bound) =>
    typeof bound === 'string' ? bound.slice(0, 10) : formatMeasure(bound),
  );
  return first === last ? String(first) : `${first} – ${last}`;
}
