import { Images } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Preview } from '../../../src-main/contract/schemas/explore.ts';
import { Bar } from '../../components/Bar.tsx';
import { GridSkeleton } from '../../components/GridSkeleton.tsx';
import { ItemTile } from '../../components/ItemTile.tsx';
import { NameInput } from '../../components/NameInput.tsx';
import { Page } from '../../components/Page.tsx';
import { PartFailed } from '../../components/PartFailed.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { QuickLook } from '../../components/QuickLook.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { TILE_CAPTION_PX } from '../../components/Tile.tsx';
import { TileSizeSlider } from '../../components/TileSizeSlider.tsx';
import { useGridCursor } from '../../components/use-grid-cursor.ts';
import { useQuickLook } from '../../components/use-quick-look.ts';
import { VirtualGrid } from '../../components/VirtualGrid.tsx';
import { useDataset } from '../../lib/datasets.ts';
import { queryOf, useClusterItems } from '../../lib/explore-source.ts';
import { itemName } from '../../lib/item-name.ts';
import { routeOfItem } from '../../lib/item-routes.ts';
import { navigate } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import { routes, usePlace } from '../../lib/routes.ts';
import { gridKeys } from '../../lib/scroll-memory.ts';
import { useOfferList, useOfferTile } from '../../lib/selectable.ts';
import { chosenItem } from '../../lib/selection.ts';
import { useClusterName } from '../../lib/use-cluster-name.ts';
import { useFindSimilar } from '../../lib/use-find-similar.ts';
import { useGridSelection } from '../../lib/use-grid-selection.ts';
import type { Paged } from '../../lib/use-paged.ts';
import { useShortcut } from '../../lib/use-shortcut.ts';
import styles from './ClusterPage.module.css';

const GAP_PX = 2;

/** The images of one cluster, most typical first. */
export function ClusterPage({ datasetId, clusterId }: { datasetId: string; clusterId: string }) {
  const { t } = useTranslation();
  const place = usePlace();
  const tileWidthPx = usePreferences((state) => state.tileWidthPx);
  const { data: dataset } = useDataset(datasetId);
  const items = useClusterItems(datasetId, clusterId, place);
  const listKey = gridKeys.cluster(datasetId, clusterId, place);
  const cursor = useGridCursor(listKey, true);
  const look = useQuickLook(cursor);
  const findSimilar = useFindSimilar(datasetId, place);
  const { total } = items;

  const selection = useGridSelection(datasetId, listKey, items, (item) => ({
    key: item.media_id,
    chosen: chosenItem(item.media_id, item),
  }));
  useOfferList(place, total, {
    type: 'cluster',
    payload: { cluster_id: clusterId, cluster_filters: queryOf(place), exclude_media_ids: [] },
  });
  useOfferTile((index) => {
    const item = items.at(index);
    return item && chosenItem(item.media_id, item);
  });

  const addressOf = (index: number): string | undefined => {
    const item = items.at(index);
    return item && routeOfItem(datasetId, item, { ...place, cluster: clusterId, at: index });
  };
  const open = (index: number) => {
    const address = addressOf(index);
    if (address !== undefined) navigate(address);
  };

  const bar = (
    <Bar
      title={dataset?.display_name ?? ''}
      back={routes.explore(datasetId, place)}
      facts={
        total !== undefined && (
          <span className={styles.count} data-testid="cluster-count">
            <ClusterName datasetId={datasetId} clusterId={clusterId} items={items} /> ·{' '}
            {t('common.items', { count: total })}
            {(place.labels.length > 0 || place.filters.length > 0) && ` · ${t('cluster.narrowed')}`}
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
      <PartFailed list={items} />
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
          selection={selection}
          dimmed={items.stale}
          tileLabel={(index) => {
            const item = items.at(index);
            return item === undefined ? t('common.loading') : itemName(item);
          }}
          onShow={items.show}
          onOpen={open}
          onLook={look.show}
          onSimilar={(index) => findSimilar(items.at(index))}
          renderTile={(index) => (
            <ItemTile
              item={items.at(index)}
              cover={items.at(index)?.cover}
              tilePx={tileWidthPx}
              to={addressOf(index)}
              onSimilar={findSimilar}
            />
          )}
        />
      )}
      <QuickLook
        look={look}
        count={total ?? 0}
        itemAt={items.at}
        factsAt={(index) => <Dimensions item={items.at(index)} />}
        onOpen={open}
      />
    </Page>
  );
}

interface ClusterNameProps {
  datasetId: string;
  clusterId: string;
  items: Pick<Paged<Preview>, 'name' | 'automaticName'>;
}

/** The name of the cluster. A click on it, or F2, edits it in place. */
function ClusterName({ datasetId, clusterId, items }: ClusterNameProps) {
  const { t } = useTranslation();
  const naming = useClusterName(datasetId);
  const { name, automaticName } = items;
  useShortcut('F2', () => naming.edit(clusterId), naming.may);
  if (naming.of === clusterId) {
    return (
      <NameInput
        inline
        label={t('explore.clusterName')}
        name={name === automaticName ? '' : (name ?? '')}
        automatic={automaticName}
        onDone={(next) => naming.done(clusterId, next)}
      />
    );
  }
  const shown = name ?? t('cluster.title');
  if (!naming.may) return <>{shown}</>;
  return (
    <button
      type="button"
      className={styles.name}
      title={`${t('explore.rename')} (F2)`}
      data-testid="rename-cluster"
      onClick={() => naming.edit(clusterId)}
    >
      {shown}
    </button>
  );
}

function Dimensions({ item }: { item: Preview | undefined }) {
  return (
    item !== undefined && (
      <span>
        {item.width} × {item.height}
      </span>
    )
  );
}
