import { Images } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Bar } from '../../components/Bar.tsx';
import { GridSkeleton } from '../../components/GridSkeleton.tsx';
import { ItemTile } from '../../components/ItemTile.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { QuickLook } from '../../components/QuickLook.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { TILE_CAPTION_PX } from '../../components/Tile.tsx';
import { TileSizeSlider } from '../../components/TileSizeSlider.tsx';
import { useGridCursor } from '../../components/use-grid-cursor.ts';
import { VirtualGrid } from '../../components/VirtualGrid.tsx';
import { useDataset } from '../../lib/datasets.ts';
import { useClusterItems } from '../../lib/explore-source.ts';
import { itemName } from '../../lib/item-name.ts';
import { routeOfItem, routeOfSimilar } from '../../lib/item-routes.ts';
import { navigate } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { routes, usePlace } from '../../lib/routes.ts';
import styles from './ClusterPage.module.css';

const GAP_PX = 2;

/** The images of one cluster, the most typical first. */
export function ClusterPage({ datasetId, clusterId }: { datasetId: string; clusterId: string }) {
  const { t } = useTranslation();
  const place = usePlace();
  const tileWidthPx = usePreferences((state) => state.tileWidthPx);
  const { data: dataset } = useDataset(datasetId);
  const items = useClusterItems(datasetId, clusterId);
  const cursor = useGridCursor(`cluster ${clusterId}`);
  const [look, setLook] = useState<number | null>(null);
  const { total } = items;

  const open = (index: number) => {
    const item = items.at(index);
    if (item !== undefined) {
      navigate(routeOfItem(datasetId, item, { ...place, cluster: clusterId, at: index }));
    }
  };
  const findSimilar = (index: number) => {
    const item = items.at(index);
    if (item !== undefined) navigate(routeOfSimilar(datasetId, item, place));
  };
  const looked = look === null ? undefined : items.at(look);

  const bar = (
    <Bar
      title={dataset?.display_name ?? ''}
      back={routes.explore(datasetId, place)}
      facts={
        total !== undefined && (
          <span className={styles.count} data-testid="cluster-count">
            {t('cluster.title')} · {t('cluster.items', { count: total })}
            {place.labels.length > 0 && ` · ${t('cluster.whole')}`}
          </span>
        )
      }
    >
      <TileSizeSlider />
    </Bar>
  );

  if (items.error !== null && total === undefined) {
    return (
      <Page bar={bar}>
        <QueryError error={items.error} onRetry={items.retry} />
      </Page>
    );
  }
  return (
    <Page bar={bar}>
      {total === undefined && <GridSkeleton minTilePx={tileWidthPx} gapPx={GAP_PX} />}
      {total === 0 && (
        <StateMessage
          icon={<Images size={24} strokeWidth={1.5} />}
          title={t('cluster.emptyTitle')}
          text={t('cluster.emptyText')}
        />
      )}
      {total !== undefined && total > 0 && (
        <VirtualGrid
          label={t('cluster.grid')}
          testId="items-grid"
          tileTestId="item-tile"
          count={total}
          minTilePx={tileWidthPx}
          gapPx={GAP_PX}
          captionPx={place.type === 'OBJECTS' ? TILE_CAPTION_PX : 0}
          cursor={cursor}
          dimmed={items.stale}
          tileLabel={(index) => {
            const item = items.at(index);
            return item === undefined ? t('common.loading') : itemName(item);
          }}
          onShow={items.show}
          onOpen={open}
          onLook={setLook}
          onSimilar={findSimilar}
          renderTile={(index) => <ItemTile item={items.at(index)} onSimilar={() => findSimilar(index)} />}
        />
      )}
      {look !== null && (
        <QuickLook
          item={looked}
          facts={
            looked !== undefined && (
              <span>
                {looked.width} × {looked.height}
              </span>
            )
          }
          onMove={(step) => {
            const next = Math.min((total ?? 1) - 1, Math.max(0, look + step));
            setLook(next);
            cursor.moveTo(next);
          }}
          onOpen={() => open(look)}
          onClose={() => setLook(null)}
          onClosed={cursor.refocus}
        />
      )}
    </Page>
  );
}
