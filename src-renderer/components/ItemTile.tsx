import { memo } from 'react';
import type { Preview } from '../../src-main/contract/schemas/explore.ts';
import type { CoverPlace } from '../lib/cover-place.ts';
import { itemName, videoName } from '../lib/item-name.ts';
import { Cover } from './Cover.tsx';
import { Skeleton } from './Skeleton.tsx';
import { Thumb } from './Thumb.tsx';
import { Tile } from './Tile.tsx';
import { TimeMark } from './TimeMark.tsx';

interface ItemTileProps {
  item: Preview | undefined;
  /** Where its cover is; without one, its thumbnail is loaded. */
  cover?: CoverPlace | undefined;
  tilePx: number;
  /** Address of the item's page. */
  to?: string | undefined;
  /** Shown under the image. null without a search. */
  score?: number | null;
  graded?: boolean;
  /** Text under the tile. Defaults to the label of an object. */
  word?: string | undefined;
  /** Short fact after the text, such as a confidence. */
  note?: string | undefined;
  /** The item stands for a whole video, so the time of the frame is hidden. */
  wholeVideo?: boolean;
  /** Must be a stable function. Left out when similarity is not available yet. */
  onSimilar?(item: Preview): void;
}

/** One image or object of a grid. Memoised: does not render again when other pages of the grid load. */
export const ItemTile = memo(function ItemTile({
  item,
  cover,
  tilePx,
  to,
  score = null,
  graded = false,
  word,
  note,
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
      note={note}
      score={score}
      graded={graded}
      onSimilar={onSimilar && (() => onSimilar(item))}
    >
      {cover === undefined ? (
        <Thumb src={item.media_thumb_uri} />
      ) : (
        <Cover key={item.media_id} place={cover} tilePx={tilePx} thumbUri={item.media_thumb_uri} />
      )}
      {!wholeVideo && <TimeMark item={item} />}
    </Tile>
  );
});
