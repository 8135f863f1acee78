import { ScanSearch } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import { formatScore } from '../lib/format.ts';
import { itemName } from '../lib/item-name.ts';
import styles from './ItemTile.module.css';
import { Skeleton } from './Skeleton.tsx';
import { Thumb } from './Thumb.tsx';
import { TimeMark } from './TimeMark.tsx';

interface ItemTileProps {
  item: Preview | undefined;
  /** Shown under the picture; null where nothing was asked to be scored. */
  score?: number | null;
  onSimilar(item: Preview): void;
}

/** One picture of a grid. */
export function ItemTile({ item, score = null, onSimilar }: ItemTileProps) {
  const { t } = useTranslation();
  if (item === undefined) return <Skeleton style={{ height: '100%' }} />;
  return (
    <div className={styles.tile} title={itemName(item)}>
      <div className={styles.picture}>
        <Thumb src={item.media_thumb_uri} />
        <TimeMark item={item} />
        <TileAction label={t('explore.findSimilar')} onAct={() => onSimilar(item)} />
      </div>
      {score !== null && (
        <span className={styles.score} title={t('explore.score', { score: formatScore(score) })} data-testid="score">
          {formatScore(score)}
        </span>
      )}
    </div>
  );
}

/** Find similar, on hover or focus of the tile. The S key of the grid does the same, so it is no tab stop of its own. */
export function TileAction({ label, onAct }: { label: string; onAct(): void }) {
  return (
    <button
      type="button"
      className={styles.action}
      tabIndex={-1}
      aria-label={label}
      title={`${label} (S)`}
      data-testid="find-similar"
      onClick={(event) => {
        event.stopPropagation();
        onAct();
      }}
    >
      <ScanSearch size={14} />
    </button>
  );
}
