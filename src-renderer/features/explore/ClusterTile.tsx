import { memo } from 'react';
import type { Cluster, Preview } from '../../../src-main/contract/schemas/explore.ts';
import { Cover } from '../../components/Cover.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { Thumb } from '../../components/Thumb.tsx';
import { Tile } from '../../components/Tile.tsx';
import { TimeMark } from '../../components/TimeMark.tsx';
import type { Covered } from '../../lib/cover-place.ts';
import { formatCount } from '../../lib/format.ts';
import { shownDistance } from '../../lib/match-strength.ts';

/** Number of items of the listed type. */
export function clusterSize(cluster: Cluster): number {
  if (cluster.type === 'VIDEOS') return cluster.n_videos;
  return cluster.type === 'OBJECTS' ? cluster.n_objects : cluster.n_images + cluster.n_frames;
}

/** The name that a user gave, else the automatic one. */
export function nameOfCluster({ name, suggested_name }: Cluster): string | null {
  return name ?? suggested_name;
}

/** Whether users can name it: groups of duplicates and single items have no name. */
export function isNameable(cluster: Cluster): boolean {
  return cluster.formed_by === 'SIMILARITY' && clusterSize(cluster) > 1;
}

interface ClusterTileProps {
  cluster: Covered<Cluster> | undefined;
  /** Address of the cluster's page, or of its only item. */
  to: string | undefined;
  tilePx: number;
  graded: boolean;
  /** Must be a stable function. */
  onSimilar(item: Preview): void;
  /** Edits the cluster's name. Must be a stable function. */
  onRename?: ((clusterId: string) => void) | undefined;
}

/**
 * A cluster: a mosaic of its most typical images, its size, and its common label, if any.
 * Memoised: does not render again when other pages of the grid load.
 */
export const ClusterTile = memo(function ClusterTile({
  cluster,
  to,
  tilePx,
  graded,
  onSimilar,
  onRename,
}: ClusterTileProps) {
  if (cluster === undefined) return <Skeleton style={{ height: '100%' }} />;
  const [item] = cluster.previews;
  const word = nameOfCluster(cluster) ?? (cluster.type === 'VIDEOS' ? (item?.video_name ?? undefined) : undefined);
  return (
    <Tile
      link={to === undefined ? undefined : { to, original: originalOf(cluster) }}
      title={word}
      size={formatCount(clusterSize(cluster))}
      word={word}
      score={shownDistance(cluster)}
      graded={graded}
      onSimilar={item && (() => onSimilar(item))}
      onRename={onRename !== undefined && isNameable(cluster) ? () => onRename(cluster.cluster_id) : undefined}
    >
      {cluster.cover === undefined ? (
        <Thumb src={item?.media_thumb_uri ?? ''} />
      ) : (
        <Cover key={cluster.cluster_id} place={cluster.cover} tilePx={tilePx} thumbUri={item?.media_thumb_uri} />
      )}
      {clusterSize(cluster) === 1 && item !== undefined && <TimeMark item={item} />}
    </Tile>
  );
});

/** The file of a cluster's only item. */
function originalOf(cluster: Cluster): { uri: string; name: string } | undefined {
  const [item] = cluster.previews;
  if (item === undefined || clusterSize(cluster) > 1) return undefined;
  return { uri: item.original_uri, name: item.file_name };
}
