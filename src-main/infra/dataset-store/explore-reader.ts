import { CLUSTERS_PER_PAGE, type EntityType, MAX_PREVIEWS } from '../../contract/schemas/explore.ts';
import type { ClusterItems, ClusterList, ClusterView, ScoredItem } from '../../core/dataset-store.port.ts';
import type { AnnotationRepository } from './annotation.repository.ts';
import type { ClusterIds } from './cluster-ids.ts';
import type { IndexReader } from './index-reader.ts';
import { LabelTable } from './label-table.ts';
import type { MediaRepository } from './media.repository.ts';
import type { ObjectRepository } from './object.repository.ts';
import type { VectorSpaces } from './vector-spaces.ts';

/** Items most like an anchor that a search looks at. */
const SEARCH_ITEMS = 1000;
/** Labels that stand for a cluster. */
const CLUSTER_LABELS = 3;

interface ExploreParts {
  media: MediaRepository;
  objects: ObjectRepository;
  annotations: AnnotationRepository;
  vectors: VectorSpaces;
  index: IndexReader;
  cluster_ids: ClusterIds;
}

/** Facts of all rows as typed arrays; read again when rows may have changed. */
interface Tables {
  n_items: number;
  n_objects: number;
  /** For each item the number of its video, -1 for images. */
  video_of_rows: Int32Array;
  /** For each object the row of its picture. */
  media_of_objects: Int32Array;
  labels: Record<EntityType, LabelTable>;
}

/** Clusters of items and of objects as Explore shows them. */
export class ExploreReader {
  readonly #parts: ExploreParts;
  #tables: Tables | undefined;

  constructor(parts: ExploreParts) {
    this.#parts = parts;
  }

  /** Call when labels have changed; that items or objects came is seen here. */
  refresh(): void {
    this.#tables = undefined;
  }

  listClusters(query: { entity_type: EntityType; level: number; page_number: number }): ClusterList {
    const { entity_type, level } = query;
    const clusters = this.#parts.index.clusters(entity_type, level);
    if (!clusters) return { clusters: [], total_clusters: 0, total_items: 0 };
    const first = query.page_number * CLUSTERS_PER_PAGE;
    const page = range(first, Math.min(first + CLUSTERS_PER_PAGE, clusters.n_clusters));
    const previews = this.#items(
      entity_type,
      page.flatMap((cluster) => clusters.members(cluster, 0, MAX_PREVIEWS)),
    );
    const views = page.map((cluster): ClusterView => {
      const items = clusters.members(cluster, 0, MAX_PREVIEWS).flatMap((row) => previews.get(row) ?? []);
      return this.#view(entity_type, level, clusters.firstRow(cluster), clusters.rows(cluster), items, null);
    });
    return { clusters: views, total_clusters: clusters.n_clusters, total_items: clusters.n_items };
  }

  listVideos(query: { level: number; page_number: number }): ClusterList {
    const clusters = this.#parts.index.clusters('IMAGES', query.level);
    const groups = new Map<number, number[]>();
    for (const row of this.#parts.media.posterRows()) {
      const cluster = clusters?.clusterOf(row) ?? -1;
      if (cluster < 0) continue;
      const group = groups.get(cluster);
      if (group) group.push(row);
      else groups.set(cluster, [row]);
    }
    const ordered = [...groups].sort(([a, rows_a], [b, rows_b]) => rows_b.length - rows_a.length || a - b);
    const first = query.page_number * CLUSTERS_PER_PAGE;
    const page = ordered.slice(first, first + CLUSTERS_PER_PAGE);
    const items = this.#items(
      'IMAGES',
      page.flatMap(([, rows]) => rows.slice(0, MAX_PREVIEWS)),
    );
    const views = page.map(([cluster, rows]) => {
      const previews = rows.slice(0, MAX_PREVIEWS).flatMap((row) => items.get(row) ?? []);
      return this.#view('IMAGES', query.level, clusters?.firstRow(cluster) ?? -1, rows, previews, null);
    });
    const total_items = ordered.reduce((sum, [, rows]) => sum + rows.length, 0);
    return { clusters: views, total_clusters: ordered.length, total_items };
  }

  /** @param query.media_id Of an item or an object; either is compared with what is asked for. */
  async searchByItem(query: {
    entity_type: EntityType;
    level: number;
    page_number: number;
    media_id: string;
  }): Promise<ClusterList | undefined> {
    const { entity_type, level } = query;
    const anchor = this.#anchor(query.media_id);
    const clusters = this.#parts.index.clusters(entity_type, level);
    if (!anchor || !clusters) return undefined;
    const vector = this.#parts.vectors.of(anchor.entity_type).readRows(anchor.row, 1);
    const found = await this.#parts.index.search(
      entity_type,
      this.#parts.vectors.of(entity_type),
      vector,
      SEARCH_ITEMS,
    );

    const groups = new Map<number, { row: number; cosine_distance: number }[]>();
    for (const { row, similarity } of found) {
      const cluster = clusters.clusterOf(row);
      if (cluster < 0) continue;
      // Rounding must not make an item differ from itself.
      const is_anchor = row === anchor.row && entity_type === anchor.entity_type;
      const cosine_distance = is_anchor ? 0 : Math.max(0, 1 - similarity);
      const group = groups.get(cluster);
      if (group) group.push({ row, cosine_distance });
      else groups.set(cluster, [{ row, cosine_distance }]);
    }
    for (const group of groups.values()) group.sort((a, b) => a.cosine_distance - b.cosine_distance || a.row - b.row);
    const ordered = [...groups].sort(([, a], [, b]) => (a[0]?.cosine_distance ?? 0) - (b[0]?.cosine_distance ?? 0));

    const first = query.page_number * CLUSTERS_PER_PAGE;
    const page = ordered.slice(first, first + CLUSTERS_PER_PAGE);
    const shown = page.flatMap(([, group]) => group.slice(0, MAX_PREVIEWS));
    const items = this.#items(
      entity_type,
      shown.map((match) => match.row),
    );
    const views = page.map(([cluster, group]) => {
      const previews = group.slice(0, MAX_PREVIEWS).flatMap(({ row, cosine_distance }) => {
        const item = items.get(row);
        return item ? [{ ...item, cosine_distance }] : [];
      });
      const rows = group.map((match) => match.row);
      const best = group[0]?.cosine_distance ?? null;
      return this.#view(entity_type, level, clusters.firstRow(cluster), rows, previews, best);
    });
    return { clusters: views, total_clusters: ordered.length, total_items: found.length };
  }

  getCluster(query: { cluster_id: string; offset: number; limit: number }): ClusterItems | undefined {
    const key = this.#parts.cluster_ids.decode(query.cluster_id);
    const clusters = key && this.#parts.index.clusters(key.entity_type, key.level);
    if (!key || !clusters) return undefined;
    const cluster = clusters.clusterOf(key.first_row);
    if (cluster < 0 || clusters.firstRow(cluster) !== key.first_row) return undefined;
    const shown = clusters.members(cluster, query.offset, query.limit);
    const covers = clusters.members(cluster, 0, MAX_PREVIEWS);
    const items = this.#items(key.entity_type, [...shown, ...covers]);
    const pick = (rows: number[]) => rows.flatMap((row) => items.get(row) ?? []);
    const rows = clusters.rows(cluster);
    return {
      entity_type: key.entity_type,
      cluster: this.#view(key.entity_type, key.level, key.first_row, rows, pick(covers), null),
      items: pick(shown),
      total: clusters.size(cluster),
    };
  }

  #anchor(media_id: string): { entity_type: EntityType; row: number } | undefined {
    const item = this.#parts.media.find(media_id);
    if (item) return { entity_type: 'IMAGES', row: item.row };
    const object = this.#parts.objects.find(media_id);
    return object && { entity_type: 'OBJECTS', row: object.row };
  }

  #items(entity_type: EntityType, rows: readonly number[]): Map<number, ScoredItem> {
    if (entity_type === 'OBJECTS') {
      const found = this.#parts.objects.listByRows(rows);
      return new Map(
        found.map(({ row, object, picture }) => [
          row,
          { ...picture, row, object, labels: [object.label], caption: null, cosine_distance: null },
        ]),
      );
    }
    const said = this.#parts.annotations.saidOf(rows);
    return new Map(
      this.#parts.media.listByRows(rows).map((item) => {
        const { labels = [], caption = null } = said.get(item.row) ?? {};
        return [item.row, { ...item, object: null, labels, caption, cosine_distance: null }];
      }),
    );
  }

  #view(
    entity_type: EntityType,
    level: number,
    first_row: number,
    rows: ArrayLike<number>,
    previews: ScoredItem[],
    cosine_distance: number | null,
  ): ClusterView {
    return {
      cluster_id: this.#parts.cluster_ids.encode({ entity_type, level, first_row }),
      level,
      ...this.#countTypes(entity_type, rows),
      labels: this.#read().labels[entity_type].mostFrequent(rows, CLUSTER_LABELS),
      cosine_distance,
      previews,
    };
  }

  #countTypes(entity_type: EntityType, rows: ArrayLike<number>) {
    const { video_of_rows, media_of_objects } = this.#read();
    let media: ArrayLike<number> = rows;
    if (entity_type === 'OBJECTS') {
      const pictures = new Set<number>();
      for (let at = 0; at < rows.length; at += 1) pictures.add(media_of_objects[rows[at] ?? -1] ?? -1);
      media = [...pictures];
    }
    const videos = new Set<number>();
    let n_frames = 0;
    for (let at = 0; at < media.length; at += 1) {
      const video = video_of_rows[media[at] ?? -1] ?? -1;
      if (video < 0) continue;
      n_frames += 1;
      videos.add(video);
    }
    const n_objects = entity_type === 'OBJECTS' ? rows.length : 0;
    return { n_images: media.length - n_frames, n_objects, n_frames, n_videos: videos.size };
  }

  #read(): Tables {
    const { media, objects, annotations } = this.#parts;
    const [n_items, n_objects] = [media.count(), objects.rows()];
    if (this.#tables?.n_items === n_items && this.#tables.n_objects === n_objects) return this.#tables;
    this.#tables = {
      n_items,
      n_objects,
      video_of_rows: media.videoOfRows(n_items),
      media_of_objects: objects.mediaRows(n_objects),
      labels: {
        IMAGES: new LabelTable(n_items, annotations.labelsByRow()),
        OBJECTS: new LabelTable(n_objects, objects.labelsByRow()),
      },
    };
    return this.#tables;
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
