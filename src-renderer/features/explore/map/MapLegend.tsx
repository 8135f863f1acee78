import { useTranslation } from 'react-i18next';
import type { MapView } from '../../../../src-main/contract/schemas/map.ts';
import { Button } from '../../../components/Button.tsx';
import { hasFilter, toggleFilter } from '../../../lib/filters.ts';
import { navigate } from '../../../lib/location.ts';
import { type Place, routes } from '../../../lib/routes.ts';
import { filterOf, nameOf } from './legend-names.ts';
import { MapColourMenu } from './MapColourMenu.tsx';
import styles from './MapLayout.module.css';
import type { MapPalette } from './map-marks.ts';
import { cssColour } from './map-palette.ts';
import { mapColourOf } from './use-map.ts';
import { useMapComputation } from './use-map-computation.ts';

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
      <MapColourMenu datasetId={datasetId} place={place} level={view.level} />
      <ul className={styles.entries}>
        {view.legend.map((entry, at) => {
          const filter = filterOf(place, entry);
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
