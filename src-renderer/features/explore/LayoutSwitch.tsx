import { ChartColumn, Grid3x3, Group, Map as MapIcon, Table2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../../components/Segmented.tsx';
import { isListed, isRanked } from '../../lib/explore-source.ts';
import { navigate } from '../../lib/location.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { SortMenu } from './SortMenu.tsx';
import { ColumnsMenu } from './table/ColumnsMenu.tsx';

const NONE = { flat: undefined, table: false, map: undefined, charts: false, descending: false, sortField: undefined };
const LAYOUTS = {
  clusters: NONE,
  flat: { ...NONE, flat: 'similarity' },
  table: { ...NONE, table: true },
  map: { ...NONE, map: 'cluster' },
  charts: { ...NONE, charts: true },
} as const satisfies Record<string, Partial<Place>>;
type Layout = keyof typeof LAYOUTS;

/** Switches between clusters, flat list, table (with its order and columns), map and charts. Search results are tiles or a table. */
export function LayoutSwitch({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const { type } = place;
  const ranked = isRanked(place);
  const isFlat = ranked || place.cluster !== undefined;
  const go = (change: Partial<Place>) => navigate(routes.explore(datasetId, { ...place, ...change }));
  const shown = layoutOf(place, ranked, isFlat);
  const drawn = type !== 'VIDEOS' && !ranked;
  const toggle = (layout: Layout) => () => go(LAYOUTS[shown === layout ? (isFlat ? 'flat' : 'clusters') : layout]);
  useShortcut('m', toggle('map'), drawn);
  useShortcut('h', toggle('charts'), drawn);
  useShortcut('v', toggle('table'));
  /** Flat list and table keep the order. */
  const choose = (layout: Layout) => {
    const { flat, descending, sortField } = place;
    const isOrdered = flat !== undefined && (layout === 'flat' || layout === 'table');
    go({ ...LAYOUTS[layout], ...(isOrdered && { flat, descending, sortField }) });
  };
  return (
    <>
      <Segmented
        label={t('flat.layout')}
        value={shown}
        narrow="always"
        options={[
          ...(isFlat ? [] : [{ value: 'clusters' as const, label: t('flat.clusters'), icon: <Group size={14} /> }]),
          { value: 'flat', label: t('flat.one'), icon: <Grid3x3 size={14} /> },
          { value: 'table', label: t('table.title'), icon: <Table2 size={14} />, shortcut: 'V' },
          ...(drawn
            ? ([
                { value: 'map', label: t('flat.map'), icon: <MapIcon size={14} />, shortcut: 'M' },
                { value: 'charts', label: t('charts.title'), icon: <ChartColumn size={14} />, shortcut: 'H' },
              ] as const)
            : []),
        ]}
        onChange={choose}
        testId="layout-switch"
      />
      {isListed(place) && (shown === 'flat' || shown === 'table') && <SortMenu datasetId={datasetId} place={place} />}
      {place.table === true && <ColumnsMenu datasetId={datasetId} place={place} />}
    </>
  );
}

function layoutOf({ table, charts, map, flat }: Place, ranked: boolean, isFlat: boolean): Layout {
  if (table) return 'table';
  if (ranked) return 'flat';
  if (charts) return 'charts';
  if (map !== undefined) return 'map';
  return flat === undefined && !isFlat ? 'clusters' : 'flat';
}
