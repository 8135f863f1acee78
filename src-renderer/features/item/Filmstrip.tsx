import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '../../components/Skeleton.tsx';
import { Thumb } from '../../components/Thumb.tsx';
import { TimeMark } from '../../components/TimeMark.tsx';
import { itemName, videoName } from '../../lib/item-name.ts';
import styles from './Filmstrip.module.css';
import type { Neighbours } from './use-neighbours.ts';

const TILE_PX = 56;
const GAP_PX = 2;

/** The neighbours of the shown image in one row. The shown image is marked and scrolled into view. */
export function Filmstrip({ neighbours, onOpen }: { neighbours: Neighbours; onOpen(index: number): void }) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const { total, at, item, show, wholeVideos } = neighbours;
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => TILE_PX + GAP_PX,
    overscan: 8,
  });
  const tiles = virtualizer.getVirtualItems();
  const first = tiles[0]?.index ?? 0;
  const last = tiles.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= first) show(first, last);
  }, [first, last, show]);
  useEffect(() => {
    if (at >= 0 && total > 0) virtualizer.scrollToIndex(at, { align: 'center' });
  }, [virtualizer, at, total]);

  return (
    <div ref={scroller} className={styles.strip}>
      <ul className={styles.row} style={{ width: virtualizer.getTotalSize() }} aria-label={t('item.filmstrip')}>
        {tiles.map((tile) => {
          const shown = item(tile.index);
          return (
            <li key={tile.key} className={styles.cell} style={{ transform: `translateX(${tile.start}px)` }}>
              {shown === undefined ? (
                <Skeleton style={{ height: '100%' }} />
              ) : (
                <button
                  type="button"
                  className={styles.tile}
                  aria-label={wholeVideos ? videoName(shown) : itemName(shown)}
                  aria-current={tile.index === at}
                  tabIndex={tile.index === at ? 0 : -1}
                  onClick={() => onOpen(tile.index)}
                >
                  <Thumb src={shown.media_thumb_uri} />
                  {!wholeVideos && <TimeMark item={shown} />}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
