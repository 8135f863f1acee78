import type { TFunction } from 'i18next';
import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { IssueName } from '../../../../src-main/contract/schemas/issues.ts';
import { MAP_COLOURS, type MapColour, type MapView } from '../../../../src-main/contract/schemas/map.ts';
import { Button } from '../../../components/Button.tsx';
import { Menu, MenuChoice } from '../../../components/Menu.tsx';
import { hasFilter, type PlaceFilter, toggleFilter } from '../../../lib/filters.ts';
import { navigate } from '../../../lib/location.ts';
import { type Place, routes } from '../../../lib/routes.ts';
import styles from './MapLayout.module.css';
import type { MapPalette } from './map-marks.ts';
import { cssColour } from './map-palette.ts';
import { mapColourOf } from './use-map.ts';
import { useMapComputation } from './use-map-computation.ts';

type Entry = MapView['legend'][number];

interface MapLegendProps {
  datasetId: string;
  place: Place;
  view: MapView;
  palette: MapPalette;
}

/** The meaning of the colours. Each entry is a filter. */
export function MapLegend({ datasetId, place, view, palette }: MapLegendProps) {
  const { t } = useTranslation();
  const colour = mapColourOf(place);
  const computation = useMapComputation(datasetId);
  const go = (change: Partial<Place>) => navigate(routes.explore(datasetId, { ...place, ...change }));
  return (
    <section className={styles.legend} aria-label={t('map.legend')} data-testid="map-legend">
      <Menu
        align="start"
        trigger={
          <Button kind="quiet" className={styles.choice} data-testid="map-colour">
            {t('map.by', { what: t(`map.colours.${colour}`) })} <ChevronDown size={14} />
          </Button>
        }
      >
        <MenuChoice<MapColour>
          value={colour}
          options={MAP_COLOURS.map((value) => ({ value, label: t(`map.colours.${value}`) }))}
          onChange={(map) => go({ map })}
        />
      </Menu>
      <ul className={styles.entries}>
        {view.legend.map((entry, at) => {
          const filter = filterOf(colour, entry);
          const swatch = <i style={{ background: cssColour(palette.colours[at] ?? palette.plain) }} />;
          const content = (
            <>
              {swatch}
              <span className={styles.entryName}>{nameOf(colour, entry, at, t)}</span>
              <span className={styles.count}>{t('map.count', { count: entry.count })}</span>
            </>
          );
          return (
            <li key={entry.value}>
              {filter === undefined ? (
                <span className={styles.entry}>{content}</span>
              ) : (
                <button
                  type="button"
                  className={styles.entry}
                  aria-pressed={hasFilter(place.filters, filter)}
                  onClick={() => go({ filters: toggleFilter(place.filters, filter) })}
                  data-testid="legend-entry"
                >
                  {content}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {view.legend.length === 0 && <p className={styles.note}>{t(`map.nothing.${colour}`)}</p>}
      {view.waiting_items > 0 && (
        <p className={styles.note} data-testid="map-waiting">
          {t('map.waiting', { count: view.waiting_items })}{' '}
          <Button kind="quiet" disabled={computation.isRunning} onClick={computation.start}>
            {computation.isRunning ? t('map.computing') : t('map.add')}
          </Button>
        </p>
      )}
    </section>
  );
}

/** The filter of an entry. Quality has none. */
function filterOf(colour: MapColour, { value }: Entry): PlaceFilter | undefined {
  switch (colour) {
    case 'cluster':
      return { clusters: { op: 'one_of', value: [value] } };
    case 'label':
      return { labels: { op: 'is', value: [value] } };
    case 'issue':
      return { issues: { op: 'issue', value, mode: 'in' } };
    case 'media_type':
      return { media_type: { op: 'one_of', value: [value] } };
    case 'quality':
      return undefined;
  }
}

function nameOf(colour: MapColour, { value, name }: Entry, at: number, t: TFunction): string {
  switch (colour) {
    case 'cluster':
      return name ?? t('map.unnamed', { number: at + 1 });
    case 'label':
      return value;
    case 'issue':
      return t(`issues.names.${value as IssueName}`);
    case 'media_type':
      return t(value === 'image' ? 'map.images' : 'map.frames');
    case 'quality':
      return t(`map.quality.${value as '1' | '2' | '3' | '4' | '5'}`);
  }
}
