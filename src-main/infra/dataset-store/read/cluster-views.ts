import { type EntityType, MAX_PREVIEWS } from '../../../contract/schemas/explore.ts';
import type { ClusterView, ScoredItem } from '../../../core/ports/explored.ts';
import type { AnnotationRepository } from '../rows/annotation.repository.ts';
import type { MediaRepository } from '../rows/media.repository.ts';
import type { ObjectRepository } from '../rows/object.repository.ts';
import type { ClusterGroup } from './cluster-groups.ts';
import type { ClusterIds } from './cluster-ids.ts';
import type { ClusterIndex } from './cluster-index.ts';
import type { Facts } from './conditions/executor.ts';

/** Labels that stand for a cluster. */
const CLUSTER_LABELS = 3;

interface Parts {
  media: MediaRepository;
  objects: ObjectRepository;
  annotations: AnnotationRepository;
  clusterIds: ClusterIds;
}

/** Clusters and items as they are shown. */
export class ClusterViews {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  view(groups: readonly ClusterGroup[], level: number, clusters: ClusterIndex, facts: Facts): ClusterView[] {
    const items = this.items(
      facts.entity_type,
      groups.flatMap(({ rows }) => [...rows.subarray(0, MAX_PREVIEWS)]),
    );
    return groups.map(({ cluster, rows, distances }) => {
      const key = { entity_type: facts.entity_type, level, first_row: clusters.firstRow(cluster) };
      const previews = [...rows.subarray(0, MAX_PREVIEWS)].flatMap((row, at) => {
        const item = items.get(row);
        return item ? [{ ...item, distance: distances?.[at] ?? null }] : [];
      });
      return {
        cluster_id: this.#parts.clusterIds.encode(key),
        level,
        ...countTypes(rows, facts),
        labels: facts.columns.labels[facts.entity_type].mostFrequent(rows, CLUSTER_LABELS).map(({ name }) => name),
        distance: distances?.[0] ?? null,
        previews,
      };
    });
  }

  /** By row; rows that are not there any more are left out. */
  items(entityType: EntityType, rows: readonly number[]): Map<number, ScoredItem> {
    const { media, objects, annotations } = this.#parts;
    if (entityType === 'OBJECTS') {
      const found = objects.listByRows(rows);
      return new Map(
        found.map(({ row, object, image }) => [
          row,
          { ...image, row, object, labels: [object.label], caption: object.caption, distance: null },
        ]),
      );
    }
    const said = annotations.saidOf(rows);
    return new Map(
      media.listByRows(rows).map((item) => {
        const { labels = [], caption = null } = said.get(item.row) ?? {};
        return [item.row, { ...item, object: null, labels, caption, distance: null }];
      }),
    );
  }
}

/** How many of which kind rows are, and on how many images and videos. */
function countTypes(rows: Int32Array, { entity_type, columns }: Facts) {
  const images = entity_type === 'OBJECTS' ? imagesOf(rows, columns.imageOf) : rows;
  const { videoOf } = columns.items;
  const videos = new Set<number>();
  let nFrames = 0;
  for (const row of images) {
    const video = videoOf[row] ?? -1;
    if (video < 0) continue;
    nFrames += 1;
    videos.add(video);
  }
  const nObjects = entity_type === 'OBJECTS' ? rows.length : 0;
  return { n_images: images.length - nFrames, n_objects: nObjects, n_frames: nFrames, n_videos: videos.size };
}

function imagesOf(objects: Int32Array, imageOf: Int32Array): Int32Array {
  return Int32Array.from(new Set(Array.from(objects, (row) => imageOf[row] ?? -1)));
}
