import { useTranslation } from 'react-i18next';
import type { Cluster } from '../../../src-main/contract/schemas/explore.ts';
import { GridSkeleton } from '../../components/GridSkeleton.tsx';
import { ItemTile } from '../../components/ItemTile.tsx';
import { NameInput } from '../../components/NameInput.tsx';
import { PartFailed } from '../../components/PartFailed.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { QuickLook } from '../../components/QuickLook.tsx';
import { Strength } from '../../components/Strength.tsx';
import { TILE_CAPTION_PX } from '../../components/Tile.tsx';
import { useGridCursor } from '../../components/use-grid-cursor.ts';
import { useQuickLook } from '../../components/use-quick-look.ts';
import { VirtualGrid } from '../../components/VirtualGrid.tsx';
import type { Covered } from '../../lib/cover-place.ts';
import { isRanked, isSearch, queryOf, useExplore } from '../../lib/explore-source.ts';
import { formatScore } from '../../lib/format.ts';
import { itemName, videoName } from '../../lib/item-name.ts';
import { routeOfItem } from '../../lib/item-routes.ts';
import { navigate } from '../../lib/location.ts';
import { matchStrength, shownDistance } from '../../lib/match-strength.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { type Place, routes } from '../../lib/routes.ts';
import { gridKeys } from '../../lib/scroll-memory.ts';
import { useOfferTile } from '../../lib/selectable.ts';
import { chosenItem } from '../../lib/selection.ts';
import { useClusterName } from '../../lib/use-cluster-name.ts';
import { useFindSimilar } from '../../lib/use-find-similar.ts';
import { useGridSelection } from '../../lib/use-grid-selection.ts';
import { ClusterTile, clusterSize, isNameable, nameOfCluster } from './ClusterTile.tsx';
import { NothingFound, SearchRefused } from './NothingFound.tsx';
import { SinglesStrip } from './SinglesStrip.tsx';

/** Minimum number of single items for a strip of their own; fewer are listed with the clusters. */
const LEAST_STRIPPED = 12;

interface ExploreGridProps {
  datasetId: string;
  place: Place;
  hasErrors: boolean;
}

/** Clusters of images or objects at one granularity, or videos. For a search, the best match first. */
export function ExploreGrid({ datasetId, place, hasErrors }: ExploreGridProps) {
  const { t } = useTranslation();
  const { type, text } = place;
  const ranked = isRanked(place);
  // Matches, objects and videos are shown as items. A single image is still shown as a cluster.
  const showsItems = ranked || type !== 'IMAGES';
  // For a search, each video is represented by its best matching frame.
  const wholeVideos = type === 'VIDEOS' && !ranked;
  const graded = text !== undefined;
  const { tileWidthPx, density } = usePreferences();
  const gapPx = density === 'compact' ? 4 : 8;
  const clusters = useExplore(datasetId, place);
  const listKey = gridKeys.explored(datasetId, place);
  const cursor = useGridCursor(listKey);
  const look = useQuickLook(cursor);
  const findSimilar = useFindSimilar(datasetId, place);
  const naming = useClusterName(datasetId);
  const rename = naming.may && !ranked ? naming.edit : undefined;
  const tileOf = (cluster: Covered<Cluster>) => {
    const item = cluster.previews[0];
    if (item === undefined) return undefined;
    if (isSingle(cluster) && !wholeVideos) return { key: item.media_id, chosen: chosenItem(item.media_id, item) };
    if (wholeVideos) {
      const vql = JSON.stringify([{ media: { value: [item.media_id] } }]);
      const part = { type: 'query' as const, payload: { entity_type: type, vql } };
      return { key: item.media_id, chosen: { part, count: 1, shown: item } };
    }
    const payload = { cluster_id: cluster.cluster_id, cluster_filters: queryOf(place) };
    const part = { type: 'cluster' as const, payload };
    return { key: cluster.cluster_id, chosen: { part, count: clusterSize(cluster), shown: item } };
  };
  const selection = useGridSelection(datasetId, listKey, clusters, tileOf);
  useOfferTile((index) => {
    const cluster = clusters.at(index);
    return cluster && tileOf(cluster)?.chosen;
  });

  if (clusters.error !== null && clusters.total === undefined) {
    if (isSearch(place) && !clusters.error.transient) {
      return <SearchRefused datasetId={datasetId} place={place} error={clusters.error} />;
    }
    return <QueryError error={clusters.error} onRetry={clusters.retry} />;
  }
  if (clusters.total === undefined) return <GridSkeleton minTilePx={tileWidthPx} gapPx={gapPx} />;
  const total = clusters.total;
  const nSingles = ranked || type === 'VIDEOS' || place.singles ? 0 : (clusters.singles ?? 0);
  const nGroups = total - nSingles;
  const isStripped = nGroups > 0 && nSingles >= LEAST_STRIPPED;
  const count = isStripped ? nGroups : total;
  if (total === 0) return <NothingFound datasetId={datasetId} place={place} hasErrors={hasErrors} />;

  const addressOf = (index: number): string | undefined => {
    const cluster = clusters.at(index);
    const item = cluster?.previews[0];
    if (cluster === undefined) return undefined;
    return item !== undefined && isSingle(cluster)
      ? routeOfItem(datasetId, item, { ...place, at: index })
      : routes.cluster(datasetId, cluster.cluster_id, place);
  };
  const open = (index: number) => {
    const address = addressOf(index);
    if (address !== undefined) navigate(address);
  };
  const label = (index: number) => {
    const cluster = clusters.at(index);
    if (cluster === undefined) return t('common.loading');
    const item = cluster.previews[0];
    const name = item === undefined ? undefined : wholeVideos ? videoName(item) : itemName(item);
    if (!showsItems || name === undefined || !isSingle(cluster)) {
      const size = t('explore.clusterLabel', { count: clusterSize(cluster) });
      return [size, nameOfCluster(cluster)].filter((part) => part !== null).join(', ');
    }
    const score = scoreOf(cluster);
    if (score === null) return name;
    return graded
      ? t('search.strengthLabel', { name, strength: t(`search.strength.${matchStrength(score)}`) })
      : t('explore.matchLabel', { name, score: formatScore(score) });
  };

  return (
    <>
      <PartFailed list={clusters} />
      <VirtualGrid
        label={ranked ? t(graded ? 'search.best' : 'explore.results') : t(`explore.listed.${type}`)}
        testId={ranked ? (graded ? 'found-grid' : 'similar-grid') : 'clusters-grid'}
        tileTestId={ranked ? (graded ? 'found-tile' : 'similar-tile') : 'cluster-tile'}
        count={count}
        after={isStripped && <SinglesStrip datasetId={datasetId} place={place} from={nGroups} count={nSingles} />}
        minTilePx={tileWidthPx}
        gapPx={gapPx}
        captionPx={TILE_CAPTION_PX}
        cursor={cursor}
        selection={selection}
        dimmed={clusters.stale}
        tileLabel={label}
        onShow={clusters.show}
        onOpen={open}
        onLook={look.show}
        onSimilar={(index) => findSimilar(clusters.at(index)?.previews[0])}
        onRename={(index) => {
          const cluster = clusters.at(index);
          if (cluster !== undefined && isNameable(cluster)) rename?.(cluster.cluster_id);
        }}
        renderField={(index) => {
          const cluster = clusters.at(index);
          return (
            cluster !== undefined &&
            cluster.cluster_id === naming.of && (
              <NameInput
                label={t('explore.clusterName')}
                name={cluster.name ?? ''}
                automatic={cluster.suggested_name ?? undefined}
                onDone={(name, byKey) => {
                  naming.done(cluster.cluster_id, name);
                  if (byKey) cursor.moveTo(index);
                }}
              />
            )
          );
        }}
        renderTile={(index) => {
          const cluster = clusters.at(index);
          const item = cluster?.previews[0];
          return showsItems && cluster !== undefined && item !== undefined && isSingle(cluster) ? (
            <ItemTile
              item={item}
              cover={cluster.cover}
              tilePx={tileWidthPx}
              to={addressOf(index)}
              word={type === 'VIDEOS' ? videoName(item) : undefined}
              wholeVideo={wholeVideos}
              score={scoreOf(cluster)}
              graded={graded}
              onSimilar={findSimilar}
            />
          ) : (
            <ClusterTile
              cluster={cluster}
              to={addressOf(index)}
              tilePx={tileWidthPx}
              graded={graded}
              onSimilar={findSimilar}
              onRename={rename}
            />
          );
        }}
      />
      <QuickLook
        look={look}
        count={count}
        itemAt={(index) => clusters.at(index)?.previews[0]}
        factsAt={(index) => <LookFacts cluster={clusters.at(index)} graded={graded} />}
        onOpen={open}
      />
    </>
  );
}

function isSingle(cluster: Cluster): boolean {
  return clusterSize(cluster) === 1;
}

/** Distance of a match from the query. */
function scoreOf(cluster: Cluster): number | null {
  return shownDistance(cluster) ?? shownDistance(cluster.previews[0]);
}

function LookFacts({ cluster, graded }: { cluster: Cluster | undefined; graded: boolean }) {
  const { t } = useTranslation();
  if (cluster === undefined) return null;
  const item = cluster.previews[0];
  const score = shownDistance(cluster);
  return (
    <>
      {item !== undefined && item.width > 0 && (
        <span>
          {item.width} × {item.height}
        </span>
      )}
      <span>{t('common.items', { count: clusterSize(cluster) })}</span>
      {score !== null && (graded ? <Strength score={score} /> : <span>{formatScore(score)}</span>)}
    </>
  );
}
