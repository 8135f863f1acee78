import { Images } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Cluster } from '../../../src-main/contract/schemas/explore.ts';
import { Button } from '../../components/Button.tsx';
import { GridSkeleton } from '../../components/GridSkeleton.tsx';
import { ItemTile } from '../../components/ItemTile.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { QuickLook } from '../../components/QuickLook.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useGridCursor } from '../../components/use-grid-cursor.ts';
import { VirtualGrid } from '../../components/VirtualGrid.tsx';
import { useExplore } from '../../lib/explore-source.ts';
import { formatScore } from '../../lib/format.ts';
import { itemName } from '../../lib/item-name.ts';
import { navigate } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { routes, type Threshold } from '../../lib/routes.ts';
import { ClusterTile, clusterSize } from './ClusterTile.tsx';

const CAPTION_PX = 20;

interface ExploreGridProps {
  datasetId: string;
  threshold: Threshold;
  anchor: string | undefined;
  hasErrors: boolean;
}

/** Clusters at one granularity, or the pictures most like the anchor. */
export function ExploreGrid({ datasetId, threshold, anchor, hasErrors }: ExploreGridProps) {
  const { t } = useTranslation();
  const { tileWidthPx, density } = usePreferences();
  const gapPx = density === 'compact' ? 4 : 8;
  const clusters = useExplore({ datasetId, threshold, anchor });
  const cursor = useGridCursor(`explore ${datasetId} ${threshold} ${anchor ?? ''}`);
  const [look, setLook] = useState<number | null>(null);

  if (clusters.error !== null && clusters.total === undefined) {
    return <QueryError error={clusters.error} onRetry={clusters.retry} />;
  }
  if (clusters.total === undefined) return <GridSkeleton minTilePx={tileWidthPx} gapPx={gapPx} />;
  const total = clusters.total;
  if (total === 0) return <NoClusters datasetId={datasetId} anchor={anchor} hasErrors={hasErrors} />;

  const open = (index: number) => {
    const cluster = clusters.at(index);
    const item = cluster?.previews[0];
    if (cluster === undefined) return;
    if (item !== undefined && isSingle(cluster)) {
      navigate(
        routes.item(datasetId, item.image_id, { threshold, anchor, at: anchor === undefined ? undefined : index }),
      );
    } else {
      navigate(routes.cluster(datasetId, cluster.cluster_id, { threshold, anchor }));
    }
  };
  const findSimilar = (cluster: Cluster | undefined) => {
    const item = cluster?.previews[0];
    if (item !== undefined) navigate(routes.explore(datasetId, { threshold, anchor: item.media_id }));
  };
  const label = (index: number) => {
    const cluster = clusters.at(index);
    if (cluster === undefined) return t('common.loading');
    const item = cluster.previews[0];
    const name = item === undefined ? undefined : itemName(item);
    if (anchor === undefined || name === undefined || !isSingle(cluster)) {
      return t('explore.clusterLabel', { count: clusterSize(cluster) });
    }
    const score = scoreOf(cluster);
    return score === null ? name : t('explore.matchLabel', { name, score: formatScore(score) });
  };
  const looked = look === null ? undefined : clusters.at(look);

  return (
    <>
      <VirtualGrid
        label={anchor === undefined ? t('explore.clusters') : t('explore.results')}
        testId={anchor === undefined ? 'clusters-grid' : 'similar-grid'}
        tileTestId={anchor === undefined ? 'cluster-tile' : 'similar-tile'}
        count={total}
        minTilePx={tileWidthPx}
        gapPx={gapPx}
        captionPx={CAPTION_PX}
        cursor={cursor}
        dimmed={clusters.stale}
        tileLabel={label}
        onShow={clusters.show}
        onOpen={open}
        onLook={setLook}
        onSimilar={(index) => findSimilar(clusters.at(index))}
        renderTile={(index) => {
          const cluster = clusters.at(index);
          const item = cluster?.previews[0];
          return anchor !== undefined && cluster !== undefined && item !== undefined && isSingle(cluster) ? (
            <ItemTile item={item} score={scoreOf(cluster)} onSimilar={() => findSimilar(cluster)} />
          ) : (
            <ClusterTile cluster={cluster} tilePx={tileWidthPx} onSimilar={findSimilar} />
          );
        }}
      />
      {look !== null && (
        <QuickLook
          item={looked?.previews[0]}
          facts={<LookFacts cluster={looked} />}
          onMove={(step) => {
            const next = Math.min(total - 1, Math.max(0, look + step));
            setLook(next);
            cursor.moveTo(next);
          }}
          onOpen={() => open(look)}
          onClose={() => setLook(null)}
          onClosed={cursor.refocus}
        />
      )}
    </>
  );
}

function isSingle(cluster: Cluster): boolean {
  return clusterSize(cluster) === 1;
}

/** How far a match is from the anchor. */
function scoreOf(cluster: Cluster): number | null {
  return cluster.relevance_score ?? cluster.previews[0]?.relevance_score ?? null;
}

function LookFacts({ cluster }: { cluster: Cluster | undefined }) {
  const { t } = useTranslation();
  if (cluster === undefined) return null;
  const item = cluster.previews[0];
  return (
    <>
      {item !== undefined && item.width > 0 && (
        <span>
          {item.width} × {item.height}
        </span>
      )}
      <span>{t('quickLook.cluster', { count: clusterSize(cluster) })}</span>
      {cluster.relevance_score !== null && <span>{formatScore(cluster.relevance_score)}</span>}
    </>
  );
}

function NoClusters({
  datasetId,
  anchor,
  hasErrors,
}: {
  datasetId: string;
  anchor: string | undefined;
  hasErrors: boolean;
}) {
  const { t } = useTranslation();
  return (
    <StateMessage
      testId="explore-empty"
      icon={<Images size={24} strokeWidth={1.5} />}
      title={anchor === undefined ? t('explore.emptyTitle') : t('explore.noneSimilarTitle')}
      text={anchor === undefined ? t('explore.emptyText') : t('explore.noneSimilarText')}
      actions={
        anchor === undefined && hasErrors ? (
          <Button onClick={() => navigate(routes.fileErrors(datasetId))}>{t('explore.seeErrors')}</Button>
        ) : undefined
      }
    />
  );
}
