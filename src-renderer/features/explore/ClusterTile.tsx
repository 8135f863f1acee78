import { useTranslation } from 'react-i18next';
import type { Cluster } from '../../../src-main/contract/schemas/explore.ts';
import { TileAction } from '../../components/ItemTile.tsx';
import { Mosaic } from '../../components/Mosaic.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { TimeMark } from '../../components/TimeMark.tsx';
import { formatCount, formatScore } from '../../lib/format.ts';
import styles from './ClusterTile.module.css';

/** Room for more pictures in the mosaic from this width on. */
const WIDE_TILE_PX = 168;

export function clusterSize(cluster: Cluster): number {
  return cluster.n_images + cluster.n_frames + (cluster.type === 'OBJECTS' ? cluster.n_objects : 0);
}

interface ClusterTileProps {
  cluster: Cluster | undefined;
  tilePx: number;
  onSimilar(cluster: Cluster): void;
}

/** A cluster: a mosaic of its most typical pictures, how many it holds, and a word if it has one. */
export function ClusterTile({ cluster, tilePx, onSimilar }: ClusterTileProps) {
  const { t } = useTranslation();
  if (cluster === undefined) return <Skeleton style={{ height: '100%' }} />;
  return (
    <div className={styles.tile}>
      <div className={styles.picture}>
        <Mosaic
          uris={cluster.previews.map((preview) => preview.media_thumb_uri)}
          max={tilePx >= WIDE_TILE_PX ? 9 : 4}
        />
        {clusterSize(cluster) === 1 && cluster.previews[0] !== undefined && <TimeMark item={cluster.previews[0]} />}
        <TileAction label={t('explore.findSimilar')} onAct={() => onSimilar(cluster)} />
      </div>
      <div className={styles.caption}>
        <span data-testid="cluster-size">{formatCount(clusterSize(cluster))}</span>
        {cluster.labels?.[0] !== undefined && <span className={styles.word}>{cluster.labels[0]}</span>}
        {cluster.relevance_score !== null && (
          <span
            className={styles.score}
            title={t('explore.score', { score: formatScore(cluster.relevance_score) })}
            data-testid="score"
          >
            {formatScore(cluster.relevance_score)}
          </span>
        )}
      </div>
    </div>
  );
}
