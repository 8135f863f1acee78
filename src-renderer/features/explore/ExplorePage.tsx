import { Copy, Download, ListChecks, PanelLeft, Plus } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bar } from '../../components/Bar.tsx';
import { Button } from '../../components/Button.tsx';
import { GridSkeleton } from '../../components/GridSkeleton.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Page } from '../../components/Page.tsx';
import { FileErrorsLink } from '../../components/ProblemLinks.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { ShareDialog } from '../../components/ShareDialog.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { TileSizeSlider } from '../../components/TileSizeSlider.tsx';
import { useMay } from '../../lib/account.ts';
import { useAddMediaRequest } from '../../lib/add-media-request.ts';
import { countsOf } from '../../lib/dataset-counts.ts';
import { isExplorable, stateOf, useDataset } from '../../lib/datasets.ts';
import { isListed, isRanked, isSearch, useExplore, vqlOf } from '../../lib/explore-source.ts';
import { useExportRequest } from '../../lib/export-request.ts';
import { hasFilter } from '../../lib/filters.ts';
import { formatDate } from '../../lib/format.ts';
import { lazyPage } from '../../lib/lazy-page.ts';
import { navigate } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { useRecentQueries } from '../../lib/recent-queries.ts';
import { reviewOf } from '../../lib/review.ts';
import { EXCLUDED, type Place, routes, usePlace, withoutSearch } from '../../lib/routes.ts';
import { useOfferList } from '../../lib/selectable.ts';
import { useIsNarrow } from '../../lib/use-is-narrow.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import { AddFilter } from './AddFilter.tsx';
import { ClusterTitle } from './ClusterTitle.tsx';
import { DatasetProgress } from './DatasetProgress.tsx';
import { DatasetStrip } from './DatasetStrip.tsx';
import { ExcludedStrip } from './ExcludedStrip.tsx';
import { ExploreGrid } from './ExploreGrid.tsx';
import styles from './ExplorePage.module.css';
import { FacetPanel } from './FacetPanel.tsx';
import { FlatGrid } from './FlatGrid.tsx';
import { GranularitySlider } from './GranularitySlider.tsx';
import { HiddenStrip } from './HiddenStrip.tsx';
import { Hints } from './Hints.tsx';
import { LabelFilter } from './LabelFilter.tsx';
import { LayoutSwitch } from './LayoutSwitch.tsx';
import { MoreMenu } from './MoreMenu.tsx';
import { Presence } from './Presence.tsx';
import { QueryRow } from './QueryRow.tsx';
import { QueryText } from './query-text/QueryText.tsx';
import { SaveViewOnRequest } from './SaveView.tsx';
import { SearchBox } from './SearchBox.tsx';
import { ViewSwitch } from './ViewSwitch.tsx';
import { ViewsMenu } from './ViewsMenu.tsx';
import { VisualSearchStrip } from './VisualSearchStrip.tsx';

/** Not a part of the page's code: few visits need their drawing libraries. */
const ChartsLayout = lazyPage(async () => (await import('./charts/ChartsLayout.tsx')).ChartsLayout);
const TableLayout = lazyPage(async () => (await import('./table/TableLayout.tsx')).TableLayout);
const MapLayout = lazyPage(async () => (await import('./map/MapLayout.tsx')).MapLayout);

/** A dataset, or one of its clusters: what it holds when it is ready, before that its progress or failure. */
export function ExplorePage({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const place = usePlace();
  const { type, anchor, text, cluster } = place;
  const ranked = isRanked(place);
  const isSearching = isSearch(place);
  const { tileWidthPx, facetsOpen, set } = usePreferences();
  const tabled = place.table === true;
  const flat = isListed(place);
  const ofCluster = cluster !== undefined;
  const charted = !tabled && place.charts === true && type !== 'VIDEOS' && !ranked;
  const mapped = !tabled && !charted && place.map !== undefined && type !== 'VIDEOS' && !ranked;
  const isNarrow = useIsNarrow();
  // Covering the results is a passing state, not a preference.
  const [facetsOver, setFacetsOver] = useState(false);
  const facetsShown = isNarrow ? facetsOver : facetsOpen;
  const toggleFacets = () => (isNarrow ? setFacetsOver(!facetsOver) : set({ facetsOpen: !facetsOpen }));
  useShortcut('f', toggleFacets);
  const add = useAddMediaRequest((request) => request.open);
  const askForExport = useExportRequest((request) => request.open);
  const { data: dataset, error, refetch } = useDataset(datasetId);
  const may = useMay();
  const mayReview =
    dataset !== undefined && isExplorable(dataset) && type !== 'VIDEOS' && may('decide_review', dataset);
  const review = () => navigate(isSearching ? reviewOf(datasetId, place) : routes.review(datasetId));
  useShortcut('r', review, mayReview);
  const clusters = useExplore(datasetId, place, dataset !== undefined && isExplorable(dataset));
  useOfferList(place, clusters.within);
  const vql = vqlOf(place);
  const remember = useRecentQueries((recent) => recent.remember);
  const answered = clusters.total !== undefined && !clusters.stale;
  useEffect(() => {
    if (answered && vql !== undefined && !ofCluster) remember(datasetId, vql);
  }, [answered, datasetId, vql, ofCluster, remember]);
  const words = useRef<HTMLInputElement>(null);
  const [labelsOpen, setLabelsOpen] = useState(false);
  const [sharing, setSharing] = useState(false);

  if (dataset === undefined) {
    return (
      <Page bar={<Bar title={error === null ? '' : t('nav.datasets')} back={routes.inventory()} />}>
        {error === null ? (
          <GridSkeleton minTilePx={tileWidthPx} gapPx={8} />
        ) : (
          <QueryError error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    );
  }

  const state = stateOf(dataset);
  const explorable = isExplorable(dataset);
  const counts = countsOf(dataset, t);
  if (!isSearching && !flat && type !== 'VIDEOS' && clusters.total !== undefined && !clusters.stale) {
    counts.push(t('common.clusters', { count: clusters.total }));
  }
  counts.push(t('inventory.created', { when: formatDate(dataset.created_at) }));
  const facts = (
    <>
      {explorable && cluster !== undefined && <ClusterTitle datasetId={datasetId} clusterId={cluster} place={place} />}
      {explorable && !ofCluster && (
        <span className={styles.counts} title={counts.join(' · ')} data-testid="dataset-counts">
          {counts.join(' · ')}
        </span>
      )}
      {!isSearching && !ofCluster && <FileErrorsLink dataset={dataset} brief />}
    </>
  );
  const query = explorable && (
    <>
      <IconButton
        label={t('facets.open')}
        shortcut="F"
        icon={<PanelLeft size={16} />}
        pressed={facetsShown}
        onClick={toggleFacets}
        data-testid="toggle-facets"
      />
      <SearchBox datasetId={datasetId} place={place} input={words} />
      <QueryText datasetId={datasetId} place={place} />
      <LabelFilter datasetId={datasetId} place={place} open={labelsOpen} onOpenChange={setLabelsOpen} />
      <AddFilter datasetId={datasetId} place={place} />
      {!mapped && !charted && !tabled && <TileSizeSlider />}
    </>
  );
  return (
    <Page
      bar={
        <Bar
          title={dataset.display_name}
          back={stepBack(datasetId, place)}
          pinned={
            <>
              {state !== 'ready' && <StatusBadge state={state} brief />}
              <Presence datasetId={datasetId} />
            </>
          }
          facts={facts}
          query={query || undefined}
        >
          {explorable && (
            <>
              {!ofCluster && (anchor === undefined || place.uploaded) && <ViewSwitch dataset={dataset} place={place} />}
              <LayoutSwitch datasetId={datasetId} place={place} />
              {!ranked && !flat && !mapped && !charted && type !== 'VIDEOS' && (
                <GranularitySlider datasetId={datasetId} place={place} />
              )}
              <IconButton
                label={t('duplicates.open')}
                icon={<Copy size={16} />}
                onClick={() => navigate(routes.duplicates(datasetId))}
                data-testid="open-duplicates"
              />
              {mayReview && (
                <IconButton
                  label={t('review.action')}
                  shortcut="R"
                  icon={<ListChecks size={16} />}
                  onClick={review}
                  data-testid="open-review"
                />
              )}
              <ViewsMenu datasetId={datasetId} place={place} />
              {may('export_dataset_async', dataset) && (
                <IconButton
                  label={t('exports.action')}
                  icon={<Download size={16} />}
                  onClick={() =>
                    askForExport(datasetId, { found: isSearching ? { place, count: clusters.within } : undefined })
                  }
                  data-testid="open-export"
                />
              )}
              <MoreMenu dataset={dataset} onShare={() => setSharing(true)} />
              {may('add_media', dataset) && (
                <Button
                  icon={<Plus size={16} />}
                  className={styles.add}
                  aria-label={t('addMedia.action')}
                  onClick={() => add(datasetId)}
                  data-testid="add-media"
                >
                  {t('addMedia.action')}
                </Button>
              )}
            </>
          )}
        </Bar>
      }
    >
      {sharing && <ShareDialog datasetId={datasetId} name={dataset.display_name} onClose={() => setSharing(false)} />}
      <SaveViewOnRequest datasetId={datasetId} place={place} />
      {explorable ? (
        <div className={styles.explore}>
          <DatasetStrip dataset={dataset} />
          <Hints isGrouped={!flat && !mapped && !charted && !ranked} />
          <p role="status" className="visually-hidden">
            {isSearching && answered && clusters.within !== undefined && t('common.items', { count: clusters.within })}
          </p>
          <VisualSearchStrip datasetId={datasetId} />
          {isSearching && (
            <QueryRow
              datasetId={datasetId}
              place={place}
              onEditText={() => words.current?.select()}
              onEditLabels={() => setLabelsOpen(true)}
            />
          )}
          {hasFilter(place.filters, EXCLUDED) && (
            <ExcludedStrip datasetId={datasetId} place={place} count={clusters.within ?? 0} />
          )}
          {!flat && !mapped && !charted && !ranked && (
            <HiddenStrip datasetId={datasetId} place={place} count={clusters.hidden ?? 0} />
          )}
          <div className={styles.content}>
            {facetsShown && (
              <FacetPanel
                datasetId={datasetId}
                place={place}
                onClose={isNarrow ? () => setFacetsOver(false) : undefined}
              />
            )}
            <div className={styles.grid} inert={isNarrow && facetsShown}>
              {charted ? (
                <Suspense fallback={<Skeleton style={{ height: '100%' }} />}>
                  <ChartsLayout datasetId={datasetId} place={place} />
                </Suspense>
              ) : mapped ? (
                <Suspense fallback={<Skeleton style={{ height: '100%' }} />}>
                  <MapLayout key={`${datasetId} ${type}`} datasetId={datasetId} place={place} />
                </Suspense>
              ) : tabled ? (
                <Suspense fallback={<Skeleton style={{ height: '100%' }} />}>
                  <TableLayout
                    key={`${datasetId} ${type}`}
                    datasetId={datasetId}
                    place={place}
                    hasErrors={dataset.n_file_errors > 0}
                  />
                </Suspense>
              ) : flat ? (
                <FlatGrid
                  key={`${datasetId} ${cluster} ${type} ${place.flat}`}
                  datasetId={datasetId}
                  place={place}
                  hasErrors={dataset.n_file_errors > 0}
                />
              ) : (
                <ExploreGrid
                  key={`${datasetId} ${type} ${anchor ?? ''} ${text ?? ''}`}
                  datasetId={datasetId}
                  place={place}
                  hasErrors={dataset.n_file_errors > 0}
                />
              )}
            </div>
          </div>
        </div>
      ) : (
        <DatasetProgress dataset={dataset} />
      )}
    </Page>
  );
}

/** Esc and Back first remove the search, then the labels. Then they leave the dataset. */
function stepBack(datasetId: string, place: Place): string {
  if (isRanked(place)) return routes.explore(datasetId, withoutSearch(place));
  if (place.filters.length > 0) return routes.explore(datasetId, { ...place, filters: [] });
  if (place.labels.length > 0) return routes.explore(datasetId, { ...place, labels: [] });
  if (place.hidden) return routes.explore(datasetId, { ...place, hidden: false });
  if (place.cluster !== undefined) {
    const { cluster: _cluster, flat: _flat, table: _table, map: _map, charts: _charts, ...outer } = place;
    return routes.explore(datasetId, outer);
  }
  return routes.inventory();
}
