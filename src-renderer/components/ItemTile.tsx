import { memo } from 'react';
import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import { itemName, videoName } from '../lib/item-name.ts';
import { Skeleton } from './Skeleton.tsx';
import { Thumb } from './Thumb.tsx';
import { Tile } from './Tile.tsx';
import { TimeMark } from './TimeMark.tsx';

interface ItemTileProps {
  item: Preview | undefined;
  /** Address of the item's page. */
  to?: string | undefined;
  /** Shown under the image; null where nothing was asked to be scored. */
  score?: number | null;
  graded?: boolean;
  /** What stands under it; else an object's label. */
  word?: string | undefined;
  /** It stands for its whole video: the time of this frame of it says nothing. */
  wholeVideo?: boolean;
  /** The same function while it does the same. Left out where nothing can be compared yet. */
  onSimilar?(item: Preview): void;
}

/** One image of a grid, or one object: its part of the image and its label. It stays as it is while the grid around it gets other pages. */
export const ItemTile = memo(function ItemTile({
  item,
  to,
  score = null,
  graded = false,
  word,
  wholeVideo = false,
  onSimilar,
}: ItemTileProps) {
  if (item === undefined) return <Skeleton style={{ height: '100%' }} />;
  const label = item.type === 'OBJECT' ? item.labels?.[0] : undefined;
  return (
    <Tile
      link={to === undefined ? undefined : { to, original: { uri: item.original_uri, name: item.file_name } }}
      title={wholeVideo ? videoName(item) : itemName(item)}
      word={word ?? label}
      score={score}
      graded={graded}
      onSimilar={onSimilar && (() => onSimilar(item))}
    >
      <Thumb src={item.media_thumb_uri} />
      {!wholeVideo && <TimeMark item={item} />}
    </Tile>
  );
});
