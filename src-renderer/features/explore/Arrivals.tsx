import { useTranslation } from 'react-i18next';
import { ItemTile } from '../../components/ItemTile.tsx';
import { QuickLook } from '../../components/QuickLook.tsx';
import { useGridCursor } from '../../components/use-grid-cursor.ts';
import { useQuickLook } from '../../components/use-quick-look.ts';
import { VirtualGrid } from '../../components/VirtualGrid.tsx';
import { useArrivals } from '../../lib/explore-source.ts';
import { itemName } from '../../lib/item-name.ts';
import { usePreferences } from '../../lib/preferences.ts';
import styles from './DatasetProgress.module.css';

/** Imported images while the dataset is not clustered yet. */
export function Arrivals({ datasetId }: { datasetId: string }) {
  const { t } = useTranslation();
  const { tileWidthPx, density } = usePreferences();
  const items = useArrivals(datasetId);
  const cursor = useGridCursor(`arrivals ${datasetId}`);
  const look = useQuickLook(cursor);
  const { total } = items;
  if (total === undefined || total === 0) return null;
  return (
    <div className={styles.arrivals} data-testid="arrivals">
      <VirtualGrid
        label={t('progressPage.arrivals')}
        testId="arrivals-grid"
        tileTestId="arrived-tile"
        count={total}
        minTilePx={tileWidthPx}
        gapPx={density === 'compact' ? 4 : 8}
        captionPx={0}
        cursor={cursor}
        tileLabel={(index) => {
          const item = items.at(index);
          return item === undefined ? t('common.loading') : itemName(item);
        }}
        onShow={items.show}
        onOpen={look.show}
        onLook={look.show}
        renderTile={(index) => <ItemTile item={items.at(index)} cover={items.at(index)?.cover} tilePx={tileWidthPx} />}
      />
      <QuickLook look={look} count={total} itemAt={items.at} />
    </div>
  );
}
