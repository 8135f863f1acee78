import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Dataset } from '../../src-main/contract/schemas/dataset.ts';
import type { Facets } from '../../src-main/contract/schemas/facets.ts';
import { useAccount, useMay, usePeoplePage } from '../lib/account.ts';
import { useAddMediaRequest } from '../lib/add-media-request.ts';
import { useAlertsRequest } from '../lib/alerts-request.ts';
import { useDatasetHere } from '../lib/dataset-here.ts';
import { type DatasetState, isExplorable, stateOf, useDatasets } from '../lib/datasets.ts';
import { useEditsRequest } from '../lib/edits-request.ts';
import { useExportRequest } from '../lib/export-request.ts';
import { hasFilter, type PlaceFilter, toggleFilter } from '../lib/filters.ts';
import { HELP_PAGES } from '../lib/help-pages.ts';
import { navigate } from '../lib/location.ts';
import { useNewDatasetRequest } from '../lib/new-dataset-request.ts';
import { toggleTheme } from '../lib/preferences.ts';
import { useReportRequest } from '../lib/report-request.ts';
import { type ExplorePlace, type Place, routes, usePlace } from '../lib/routes.ts';
import { useSaveViewRequest } from '../lib/save-view-request.ts';
import { useSnapshotsRequest } from '../lib/snapshots-request.ts';
import { useOperation } from '../lib/use-operation.ts';
import { subjectsOf, typedFilter } from './typed-filter.ts';

const MAX_DATASETS = 50;
/** Maximum number of filters listed. More are found by typing. */
const MAX_FILTERS = 30;

export interface PaletteEntry {
  id: string;
  text: string;
  group: string;
  state?: DatasetState;
  run(): void;
}

const LAYOUTS = [
  { id: 'layout-clusters', title: 'flat.clusters', change: { flat: undefined, map: undefined, charts: false } },
  { id: 'layout-flat', title: 'flat.one', change: { flat: 'similarity', map: undefined, charts: false } },
  { id: 'layout-table', title: 'table.title', change: { table: true } },
  { id: 'layout-map', title: 'flat.map', change: { flat: undefined, map: 'cluster', charts: false } },
  { id: 'layout-charts', title: 'charts.title', change: { flat: undefined, map: undefined, charts: true } },
] as const;

/** Filters and type of a place; its ranking has no layout. */
function exploreOnly({ type, labels, labelMode, filters, threshold }: Place): ExplorePlace {
  return { type, labels, labelMode, filters, threshold };
}

/** Entries that contain the text: datasets first, then actions, then filters of the current dataset. */
export function usePaletteEntries(text: string): PaletteEntry[] {
  const { t } = useTranslation();
  const { data: datasets = [] } = useDatasets();
  const group = t('palette.actions');
  const here = useDatasetHere();
  const { data: account } = useAccount();
  const may = useMay();
  const people = usePeoplePage();
  const place = usePlace();
  const filters = useFilterEntries(here, text);
  const ofHere: PaletteEntry[] =
    here === undefined || !isExplorable(here)
      ? []
      : [
          ...when(may('add_media', here), {
            id: 'add-media',
            group,
            text: t('addMedia.actionNamed', { name: here.display_name }),
            run: () => useAddMediaRequest.getState().open(here.id),
          }),
          {
            id: 'data',
            group,
            text: t('data.openNamed', { name: here.display_name }),
            run: () => navigate(routes.data(here.id)),
          },
          {
            id: 'views',
            group,
            text: t('views.openNamed', { name: here.display_name }),
            run: () => navigate(routes.views(here.id)),
          },
          ...when(may('decide_review', here), {
            id: 'review',
            group,
            text: t('review.openNamed', { name: here.display_name }),
            run: () => navigate(routes.review(here.id)),
          }),
          ...when(may('enrich_dataset', here), {
            id: 'enrich',
            group,
            text: t('enrich.openNamed', { name: here.display_name }),
            run: () => navigate(routes.enrich(here.id)),
          }),
          ...when(true, {
            id: 'duplicates',
            group,
            text: t('duplicates.open'),
            run: () => navigate(routes.duplicates(here.id)),
          }),
          ...LAYOUTS.map(({ id, title, change }) => ({
            id,
            group,
            text: t('palette.layout', { layout: t(title) }),
            run: () => navigate(routes.explore(here.id, { ...exploreOnly(place), ...change })),
          })),
          ...when(may('export_dataset_async', here), {
            id: 'export',
            group,
            text: t('exports.title', { name: here.display_name }),
            run: () => useExportRequest.getState().open(here.id, {}),
          }),
          ...when(may('create_view', here), {
            id: 'save-view',
            group,
            text: t('views.saveAs'),
            run: () => {
              navigate(routes.explore(here.id, place));
              useSaveViewRequest.getState().open();
            },
          }),
          ...when(place.filters.length > 0 || place.labels.length > 0, {
            id: 'clear-filters',
            group,
            text: t('palette.clearFilters'),
            run: () => navigate(routes.explore(here.id, { ...exploreOnly(place), filters: [], labels: [] })),
          }),
          ...when(may('list_edits', here), {
            id: 'edits',
            group,
            text: t('edits.openNamed', { name: here.display_name }),
            run: () => useEditsRequest.getState().open(here.id),
          }),
          {
            id: 'excluded',
            group,
            text: t('excluded.openNamed', { name: here.display_name }),
            run: () => navigate(routes.excluded(here.id)),
          },
          ...when(may('list_snapshots', here), {
            id: 'snapshots',
            group,
            text: t('snapshots.openNamed', { name: here.display_name }),
            run: () => useSnapshotsRequest.getState().open(here.id),
          }),
        ];
  const actions: PaletteEntry[] = [
    ...ofHere,
    ...when(may('create_dataset'), {
      id: 'new',
      group,
      text: t('inventory.newDataset'),
      run: () => useNewDatasetRequest.getState().open(),
    }),
    { id: 'datasets', group, text: t('nav.datasets'), run: () => navigate(routes.inventory()) },
    { id: 'alerts', group, text: t('alerts.title'), run: () => useAlertsRequest.getState().setOpen(true) },
    { id: 'tasks', group, text: t('nav.tasks'), run: () => navigate(routes.tasks()) },
    { id: 'models', group, text: t('nav.models'), run: () => navigate(routes.models()) },
    { id: 'settings', group, text: t('nav.settings'), run: () => navigate(routes.settings()) },
    { id: 'api', group, text: t('api.title'), run: () => navigate(routes.api()) },
    {
      id: 'help',
      group,
      text: t('palette.help'),
      run: () => void window.open(HELP_PAGES.start, '_blank', 'noreferrer'),
    },
    { id: 'report', group, text: t('report.title'), run: () => useReportRequest.getState().setOpen(true) },
    ...when(account?.authentication === true, {
      id: 'account',
      group,
      text: t('account.title'),
      run: () => navigate(routes.account()),
    }),
    ...when(account?.authentication === true, {
      id: 'assigned',
      group,
      text: t('assigned.title'),
      run: () => navigate(routes.assigned()),
    }),
    ...when(people !== undefined, {
      id: 'people',
      group,
      text: t('nav.people'),
      run: () => people !== undefined && navigate(people),
    }),
    ...when(account?.authentication !== true || may('list_audit_entries'), {
      id: 'recovery',
      group,
      text: t('backup.title'),
      run: () => navigate(routes.recovery()),
    }),
    { id: 'theme', group, text: t('palette.theme'), run: toggleTheme },
  ];
  const search = text.trim().toLocaleLowerCase();
  const matches = (entry: PaletteEntry) => entry.text.toLocaleLowerCase().includes(search);
  const found = datasets
    .map((dataset) => ({
      id: dataset.id,
      text: dataset.display_name,
      group: t('palette.datasets'),
      state: stateOf(dataset),
      run: () => navigate(routes.explore(dataset.id)),
    }))
    .filter(matches)
    .slice(0, MAX_DATASETS);
  return [...found, ...actions.filter(matches), ...filters];
}

function when(offered: boolean, entry: PaletteEntry): PaletteEntry[] {
  return offered ? [entry] : [];
}

/** Filters by the values of the current dataset: labels, tags, issues, folders, media types and custom fields. */
function useFilterEntries(here: Dataset | undefined, text: string): PaletteEntry[] {
  const { t } = useTranslation();
  const place = usePlace();
  const search = text.trim().toLocaleLowerCase();
  const isEnabled = here !== undefined && isExplorable(here) && search !== '';
  const { data } = useOperation(
    'get_facets',
    { dataset_id: here?.id ?? '', entity_type: place.type },
    { enabled: isEnabled, staleTime: 60_000 },
  );
  const { data: fields = [] } = useOperation(
    'get_custom_metadata_schema',
    { dataset_id: here?.id ?? '' },
    { enabled: isEnabled, staleTime: 60_000 },
  );
  if (!isEnabled) return [];
  const typed = typedFilter(
    text,
    subjectsOf(fields, (subject) => t(`palette.subjects.${subject}`)),
  );
  const offered = typed === undefined ? [] : [{ name: text.trim(), filter: typed }];
  const listed = data === undefined ? [] : filtersOf(data, t);
  return [
    ...offered,
    ...listed.filter(({ name }) => name.toLocaleLowerCase().includes(search)).slice(0, MAX_FILTERS),
  ].map(({ name, filter }) => ({
    id: `filter ${JSON.stringify(filter)}`,
    text: t(hasFilter(place.filters, filter) ? 'palette.unfilter' : 'palette.filter', { name }),
    group: t('palette.filters'),
    run: () =>
      navigate(
        routes.explore(here.id, {
          ...exploreOnly(place),
          flat: place.flat,
          sortField: place.sortField,
          descending: place.descending,
          table: place.table,
          map: place.map,
          charts: place.charts,
          filters: toggleFilter(place.filters, filter),
        }),
      ),
  }));
}

function filtersOf(facets: Facets, t: TFunction): { name: string; filter: PlaceFilter }[] {
  const named = (kind: string, value: string) => `${kind}: ${value}`;
  return [
    ...facets.labels.map(({ name }) => ({
      name: named(t('facets.groups.labels'), name),
      filter: { labels: { op: 'is', value: [name] } },
    })),
    ...facets.tags.map(({ name, tag_id }) => ({
      name: named(t('facets.groups.tags'), name),
      filter: { tags: { op: 'is', value: [tag_id] } },
    })),
    ...facets.issues.map(({ name }) => ({
      name: named(t('facets.groups.issues'), t(`issues.names.${name}`)),
      filter: { issues: { op: 'issue', value: name } },
    })),
    ...facets.folders.flatMap(({ name }) =>
      name === ''
        ? []
        : [
            {
              name: named(t('facets.groups.folders'), name),
              filter: { folders: { op: 'one_of', value: [name] } },
            },
          ],
    ),
    ...facets.metadata.flatMap(({ field_name: field, values }) =>
      values.map(({ name }) => ({
        name: named(field, name),
        filter: { metadata: { field, op: 'is', value: [name] } },
      })),
    ),
  ];
}
