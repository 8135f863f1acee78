import { ArrowDownUp, ChartColumn, Grid3x3, Group, Map as MapIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ItemSort } from '../../../src-main/contract/schemas/facets.ts';
import { Button } from '../../components/Button.tsx';
import { Menu, MenuChoice, MenuSeparator } from '../../components/Menu.tsx';
import { Segmented } from '../../components/Segmented.tsx';
import { navigate } from '../../lib/location.ts';
import { FLAT_SORTS, type Place, routes } from '../../lib/routes.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';

/** Switches between clusters, flat list (with its order), map and charts. */
export function LayoutSwitch({ datasetId, place }: { datasetId: string; place: Place }) {
  const { t } = useTranslation();
  const { flat, descending, map, charts, type } = place;
  const go = (change: Partial<Place>) => navigate(routes.explore(datasetId, { ...place, ...change }));
  const layouts = {
    clusters: { flat: undefined, map: undefined, charts: false },
    flat: { flat: 'similarity', map: undefined, charts: false },
    map: { flat: undefined, map: 'cluster', charts: false },
    charts: { flat: undefined, map: undefined, charts: true },
  } as const;
  const shown = charts ? 'charts' : map !== undefined ? 'map' : flat === undefined ? 'clusters' : 'flat';
  const toggleCharts = () => go({ ...layouts[shown === 'charts' ? 'clusters' : 'charts'], descending: false });
  const toggleMap = () => go({ ...layouts[shown === 'map' ? 'clusters' : 'map'], descending: false });
  useShortcut('m', toggleMap, type !== 'VIDEOS');
  useShortcut('h', toggleCharts, type !== 'VIDEOS');
  return (
    <>
      <Segmented
        label={t('flat.layout')}
        value={shown}
        narrow="always"
        options={[
          { value: 'clusters', label: t('flat.clusters'), icon: <Group size={14} /> },
          { value: 'flat', label: t('flat.one'), icon: <Grid3x3 size={14} /> },
          ...(type === 'VIDEOS'
            ? []
            : ([
                { value: 'map', label: t('flat.map'), icon: <MapIcon size={14} /> },
                { value: 'charts', label: t('charts.title'), icon: <ChartColumn size={14} /> },
              ] as const)),
        ]}
        onChange={(layout) => go({ ...layouts[layout], descending: false })}
        testId="layout-switch"
      />
      {flat !== undefined && (
        <Menu
          trigger={
            <Button icon={<ArrowDownUp size={14} />} data-testid="sort">
              {t(`flat.sorts.${flat}`)}
            </Button>
          }
        >
          <MenuChoice<Exclude<ItemSort, 'score'>>
            value={flat}
            options={FLAT_SORTS.map((value) => ({ value, label: t(`flat.sorts.${value}`) }))}
            onChange={(sort) => go({ flat: sort })}
          />
          <MenuSeparator />
          <MenuChoice
            value={descending ? 'desc' : 'asc'}
            options={[
              { value: 'asc', label: t('flat.ascending') },
              { value: 'desc', label: t('flat.descending') },
            ]}
            onChange={(order) => go({ descending: order === 'desc' })}
          />
        </Menu>
      )}
    </>
  );
}
