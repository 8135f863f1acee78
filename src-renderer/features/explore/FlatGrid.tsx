import { useTranslation } from 'react-i18next';
import type { ListedItem } from '../../../src-main/contract/schemas/facets.ts';
import { ISSUES, type IssueName } from '../../../src-main/contract/schemas/issues.ts';
import { GridSkeleton } from '../../components/GridSkeleton.tsx';
import { ItemTile } from '../../components/ItemTile.tsx';
import { PartFailed } from '../../components/PartFailed.tsx';
import { QueryError } from '../../components/QueryError.tsx';
import { QuickLook } from '../../components/QuickLook.tsx';
import { TILE_CAPTION_PX } from '../../components/Tile.tsx';
import { useGridCursor } from '../../components/use-grid-cursor.ts';
import { useQuickLook } from '../../components/use-quick-look.ts';
import { VirtualGrid } from '../../components/VirtualGrid.tsx';
import type { Covered } from '../../lib/cover-place.ts';
import { isSearch, isTypicalFirst, useClusterItems, useItems } from '../../lib/explore-source.ts';
import { itemName } from '../../lib/item-name.ts';
import { routeOfItem } from '../../lib/item-routes.ts';
import { navigate } from '../../lib/location.ts';
import { usePreferences } from '../../lib/preferences.ts';
import type { Place } from '../../lib/routes.ts';
import { gridKeys } from '../../lib/scroll-memory.ts';
import { useOfferTile } from '../../lib/selectable.ts';
import { chosenItem } from '../../lib/selection.ts';
import { useFindSimilar } from '../../lib/use-find-similar.ts';
import { useGridSelection } from '../../lib/use-grid-selection.ts';
import type { Paged } from '../../lib/use-paged.ts';
import { NothingFound, SearchRefused } from './NothingFound.tsx';

/** The issue that the list is filtered or sorted by. */
function issueOf({ filters, flat }: Place): IssueName | undefined {
  const requested = filters.flatMap(({ issues }) =>
    issues === undefined || issues.mode === 'out' ? [] : issues.value,
  );
  return ISSUES.find((issue) => issue === flat) ?? ISSUES.find((issue) => requested.includes(issue));
}

/** All items in the order of the place, without clusters. */
export function FlatGrid({ datasetId, place, hasErrors }: { datasetId: string; place: Place; hasErrors: boolean }) {
  const { t } = useTranslation();
  const { tileWidthPx, density } = usePreferences();
  const gapPx = density === 'compact' ? 4 : 8;
  const issue = issueOf(place);
  const ofCluster = isTypicalFirst(place);
  const members = useClusterItems(datasetId, ofCluster ? place.cluster : undefined, place);
  const listed = useItems(datasetId, place, { enabled: !ofCluster, details: issue !== undefined });
  const items: Paged<Covered<ListedItem>> = ofCluster ? members : listed;
  const listKey = gridKeys.listed(datasetId, place);
  const cursor = useGridCursor(listKey, ofCluster);
  const look = useQuickLook(cursor);
  const findSimilar = useFindSimilar(datasetId, place);
  const selection = useGridSelection(datasetId, listKey, items, (item) => ({
    key: item.media_id,
    chosen: chosenItem(item.media_id, item),
  }));
  useOfferTile((index) => {
    const item = items.at(index);
    return item && chosenItem(item.media_id, item);
  });

  if (items.error !== null && items.total === undefined) {
    if (isSearch(place) && !items.error.transient) {
      return <SearchRefused datasetId={datasetId} place={place} error={items.error} />;
    }
    return <QueryError error={items.error} onRetry={items.retry} />;
  }
  if (items.total === undefined) return <GridSkeleton minTilePx={tileWidthPx} gapPx={gapPx} />;
  const { total } = items;
  if (total === 0) return <NothingFound datasetId={datasetId} place={place} hasErrors={hasErrors} />;

  /** What a tile says: of an issue the label with the suggested one, and the confidence; of an object that of its model. */
  const captionOf = (item: ListedItem | undefined): { word?: string; note?: string } => {
    if (item === undefined) return {};
    const percent = (share: number) => t('item.percent', { percent: Math.round(share * 100) });
    const found = item.details?.issues.find(({ issue_type }) => issue_type === issue);
    const own = item.labels?.join(', ') ?? '';
    if (found !== undefined) {
      const { suggested_label: suggested, confidence } = found;
      return { word: suggested === null ? own : `${own} → ${suggested}`, note: percent(confidence) };
    }
    const isByName = place.flat === 'name' || place.flat === 'file_name';
    return {
      ...(isByName && { word: item.file_name }),
      ...(item.confidence !== null && { note: percent(item.confidence) }),
    };
  };
  const addressOf = (index: number): string | undefined => {
    const item = items.at(index);
    return item && routeOfItem(datasetId, item, { ...place, at: index });
  };
  const open = (index: number) => {
    const address = addressOf(index);
    if (address !== undefined) navigate(address);
  };
  return (
    <>
      <PartFailed list={items} />
      <VirtualGrid
        label={t(`explore.views.${place.type}`)}
        testId="items-grid"
        tileTestId="item-tile"
        count={total}
        minTilePx={tileWidthPx}
        gapPx={gapPx}
        captionPx={TILE_CAPTION_PX}
        cursor={cursor}
        selection={selection}
        dimmed={items.stale}
        tileLabel={(index) => {
          const item = items.at(index);
          if (item === undefined) return t('common.loading');
          const { word, note } = captionOf(item);
          return [itemName(item), ...(issue === undefined ? [] : [word]), note].filter(Boolean).join(', ');
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
            {...captionOf(items.at(index))}
            onSimilar={findSimilar}
          />
        )}
      />
      <QuickLook look={look} count={total} itemAt={items.at} onOpen={open} />
    </>
  );
}
