import { memo } from 'react';
import type { Cluster, Preview } from '../../../src-main/contract/schemas/explore.ts';
import { Skeleton } from '../../components/Skeleton.tsx';
import { Thumb } from '../../components/Thumb.tsx';
import { Tile } from '../../components/Tile.tsx';
import { TimeMark } from '../../components/TimeMark.tsx';
import { formatCount } from '../../lib/format.ts';
import { shownDistance } from '../../lib/match-strength.ts';

/** Room for more images in the cover from this width on. */
const WIDE_TILE_PX = 168;

/** Items of the kind that is listed: objects, or images and frames. */
export function clusterSize(cluster: Cluster): number {
  return cluster.type === 'OBJECTS' ? cluster.n_objects : cluster.n_images + cluster.n_frames;
}

interface ClusterTileProps {
  cluster: Cluster | undefined;
  /** Address of the cluster's page, or of that of its only item. */
  to: string | undefined;
  tilePx: number;
  graded: boolean;
  /** The same function while it does the same. */
  onSimilar(item: Preview): void;
}

/**
 * A cluster: a mosaic of its most typical images, how many it holds, and a word if it has one. It stays as it is while the grid around it
 * gets other pages.
 */
export const ClusterTile = memo(function ClusterTile({ cluster, to, tilePx, graded, onSimilar }: ClusterTileProps) {
  if (cluster === undefined) return <Skeleton style={{ height: '100%' }} />;
  const [cover] = cluster.previews;
  const word = cluster.suggested_name ?? (cluster.type === 'VIDEOS' ? (cover?.video_name ?? undefined) : undefined);
  return (
    <Tile
      link={to === undefined ? undefined : { to, original: originalOf(cluster) }}
      title={word}
      size={formatCount(clusterSize(cluster))}
      word={word}
      score={shownDistance(cluster)}
      graded={graded}
      onSimilar={cover && (() => onSimilar(cover))}
    >
      <Thumb
        src={
          cluster.cover_uri === null
            ? (cover?.media_thumb_uri ?? '')
            : `${cluster.cover_uri}&n=${tilePx >= WIDE_TILE_PX ? 9 : 4}`
        }
      />
      {clusterSize(cluster) === 1 && cover !== undefined && <TimeMark item={cover} />}
    </Tile>
  );
});

/** The file of a cluster's only item. */
function originalOf(cluster: Cluster): { uri: string; name: string } | undefined {
  const [item] = cluster.previews;
  if (item === undefined || clusterSize(cluster) > 1) return undefined;
  return { uri: item.original_uri, name: item.file_name };
}
