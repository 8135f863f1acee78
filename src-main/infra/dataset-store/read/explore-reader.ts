import { AppError } from '../../../contract/errors.ts';
import { CLUSTERS_PER_PAGE, type EntityType, MAX_PREVIEWS } from '../../../contract/schemas/explore.ts';
import type { ClusterItems, ClusterList, ClusterView, ItemSearch, ScoredItem } from '../../../core/ports/explored.ts';
import type { EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import type { VectorSpaces } from '../disk/vector-spaces.ts';
import type { AnnotationRepository } from '../rows/annotation.repository.ts';
import type { MediaRepository } from '../rows/media.repository.ts';
import type { ModelResultRepository } from '../rows/model-result.repository.ts';
import type { ObjectRepository } from '../rows/object.repository.ts';
import { CaptionTable } from './caption-table.ts';
import type { ClusterIds } from './cluster-ids.ts';
import type { DataVersions } from './data-versions.ts';
import type { IndexReader } from './index-reader.ts';
import { LabelTable } from './label-table.ts';

/** Items most like an anchor that a search looks at. */
const SEARCH_ITEMS = 1000;
/** Labels that stand for a cluster. */
const CLUSTER_LABELS = 3;

interface ExploreParts {
  media: MediaRepository;
  models: ModelResultRepository;
  objects: ObjectRepository;
  annotations: AnnotationRepository;
  vectors: VectorSpaces;
  index: IndexReader;
  clusterIds: ClusterIds;
  versions: DataVersions;
}

/** An item that fits, and how far it is from what it is compared with. */
interface Found {
  row: number;
  cosine_distance: number | null;
}

/** Facts of all rows as typed arrays; read again when rows may have changed. */
interface Tables {
  /** Of the rows and of what is said of them. */
  state: string;
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
  #captionTable: { version: number; table: CaptionTable } | undefined;

  constructor(parts: ExploreParts) {
    this.#parts = parts;
  }

  listClusters(query: { entity_type: EntityType; level: number; page_number: number }): ClusterList {
    const { entity_type, level } = query;
    const clusters = this.#parts.index.clusters(entity_type, level);
    if (!clusters) return { clusters: [], total_clusters: 0, total_items: 0 };
    const first = query.page_number * CLUSTERS_PER_PAGE;
    const page = range(first, Math.min(first + CLUSTERS_PER_PAGE, clusters.nClusters));
    const previews = this.#items(
      entity_type,
      page.flatMap((cluster) => clusters.members(cluster, 0, MAX_PREVIEWS)),
    );
    const views = page.map((cluster): ClusterView => {
      const items = clusters.members(cluster, 0, MAX_PREVIEWS).flatMap((row) => previews.get(row) ?? []);
      return this.#view(entity_type, level, clusters.firstRow(cluster), clusters.rows(cluster), items, null);
    });
    return { clusters: views, total_clusters: clusters.nClusters, total_items: clusters.nItems };
  }

  listVideos(query: { level: number; page_number: number }): ClusterList {
    const posters = this.#parts.media.posterRows().map((row): Found => ({ row, cosine_distance: null }));
    return this.#grouped('IMAGES', query.level, query.page_number, posters);
  }

  async searchItems(search: ItemSearch): Promise<ClusterList | undefined> {
    const { level, page_number } = search;
    const ofVideos = search.entity_type === 'VIDEOS';
    const entityType = search.entity_type === 'VIDEOS' ? 'IMAGES' : search.entity_type;
    const masks = search.labels.map((condition) => this.#read().labels[entityType].matching(condition));
    const holds = (row: number) => masks.every((mask) => mask[row] === 1);
    // What is filtered afterwards must be looked for among all.
    const limit = ofVideos || masks.length > 0 ? Number.POSITIVE_INFINITY : SEARCH_ITEMS;
    const compared = await this.#compared(entityType, search, limit);
    if (compared === 'unknown') return undefined;
    const found = (compared ?? this.#all(entityType, level)).filter(({ row }) => holds(row));
    const chosen = ofVideos ? this.#bestFrames(found) : found;
    const kept = compared ? chosen.slice(0, SEARCH_ITEMS) : chosen;
    return this.#grouped(entityType, level, page_number, kept);
  }

  getCluster(query: { cluster_id: string; offset: number; limit: number }): ClusterItems | undefined {
    const key = this.#parts.clusterIds.decode(query.cluster_id);
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

  /** What is compared, best first; undefined when nothing is. */
  async #compared(entityType: EntityType, search: ItemSearch, limit: number): Promise<Found[] | 'unknown' | undefined> {
    const lists: Found[][] = [];
    if (search.like !== undefined) {
      const near = await this.#like(entityType, search.like, limit);
      if (near === undefined) return 'unknown';
      lists.push(near);
    }
    for (const { of, vector, least_similarity } of search.texts ?? []) {
      const wanted = (search.texts?.length ?? 0) > 1 ? Number.POSITIVE_INFINITY : limit;
      const near =
        of === 'captions'
          ? this.#captions(entityType, vector)
          : await this.#near('meaning', entityType, vector, wanted);
      lists.push(
        near
          .filter(({ similarity }) => similarity > least_similarity)
          .map(({ row, similarity }) => ({ row, cosine_distance: 1 - similarity })),
      );
    }
    return lists.length === 0 ? undefined : lists.reduce(inBoth);
  }

  async #like(entityType: EntityType, mediaId: string, limit: number): Promise<Found[] | undefined> {
    const anchor = this.#anchor(mediaId);
    if (!anchor) return undefined;
    const { vectors } = this.#parts;
    const space = this.#spaceOfBoth(anchor.entity_type, entityType);
    const vector = vectors.of(space, anchor.entity_type).readRows(anchor.row, 1);
    const near = await this.#near(space, entityType, vector, limit);
    return near.map(({ row, similarity }) => {
      // Rounding must not make an item differ from itself.
      const isAnchor = row === anchor.row && entityType === anchor.entity_type;
      return { row, cosine_distance: isAnchor ? 0 : Math.max(0, 1 - similarity) };
    });
  }

  /** Where items and objects can be compared; vectors from elsewhere may be of items only. */
  #spaceOfBoth(anchor: EntityType, found: EntityType): EmbeddingSpace {
    const { index, vectors } = this.#parts;
    const space = index.shownSpace(found);
    return anchor === found || vectors.isShared(space) ? space : 'looks';
  }

  #near(
    space: EmbeddingSpace,
    entityType: EntityType,
    vector: Float32Array,
    limit: number,
  ): Promise<{ row: number; similarity: number }[]> {
    const { index, vectors } = this.#parts;
    return index.search(space, entityType, vectors.of(space, entityType), vector, limit);
  }

  /** Items by the caption of theirs that is most like a vector, best first. */
  #captions(entityType: EntityType, vector: Float32Array): { row: number; similarity: number }[] {
    if (entityType === 'OBJECTS') {
      throw new AppError('invalid_request', 'Objects are not searched by caption; ask for IMAGES');
    }
    const version = this.#parts.versions.said;
    if (this.#captionTable?.version !== version) {
      this.#captionTable = { version, table: new CaptionTable(this.#parts.models.captionVectors()) };
    }
    return this.#captionTable.table.search(vector);
  }

  /** Every item that is in a cluster. */
  #all(entityType: EntityType, level: number): Found[] {
    const clusters = this.#parts.index.clusters(entityType, level);
    const found: Found[] = [];
    for (let cluster = 0; cluster < (clusters?.nClusters ?? 0); cluster += 1) {
      for (const row of clusters?.rows(cluster) ?? []) found.push({ row, cosine_distance: null });
    }
    return found;
  }

  /** A page of found items by their clusters: by their best where they were compared, else those of many first. */
  #grouped(entityType: EntityType, level: number, pageNumber: number, found: readonly Found[]): ClusterList {
    const clusters = this.#parts.index.clusters(entityType, level);
    const groups = new Map<number, Found[]>();
    for (const item of found) {
      const cluster = clusters?.clusterOf(item.row) ?? -1;
      if (cluster < 0) continue;
      const group = groups.get(cluster);
      if (group) group.push(item);
      else groups.set(cluster, [item]);
    }
    for (const group of groups.values()) group.sort((a, b) => distanceOf(a) - distanceOf(b));
    const ordered = [...groups].sort(
      ([a, ofA], [b, ofB]) => distanceOf(ofA[0]) - distanceOf(ofB[0]) || ofB.length - ofA.length || a - b,
    );
    const first = pageNumber * CLUSTERS_PER_PAGE;
    const page = ordered.slice(first, first + CLUSTERS_PER_PAGE);
    const shown = page.flatMap(([, group]) => group.slice(0, MAX_PREVIEWS).map(({ row }) => row));
    const items = this.#items(entityType, shown);
    const views = page.map(([cluster, group]) => {
      const previews = group.slice(0, MAX_PREVIEWS).flatMap(({ row, cosine_distance }) => {
        const item = items.get(row);
        return item ? [{ ...item, cosine_distance }] : [];
      });
      const rows = group.map(({ row }) => row);
      const firstRow = clusters?.firstRow(cluster) ?? -1;
      return this.#view(entityType, level, firstRow, rows, previews, group[0]?.cosine_distance ?? null);
    });
    const totalItems = ordered.reduce((sum, [, group]) => sum + group.length, 0);
    return { clusters: views, total_clusters: ordered.length, total_items: totalItems };
  }

  /** Of items in order, the first of each video. */
  #bestFrames(items: readonly Found[]): Found[] {
    const { video_of_rows } = this.#read();
    const seen = new Set<number>();
    return items.filter(({ row }) => {
      const video = video_of_rows[row] ?? -1;
      return video >= 0 && !seen.has(video) && seen.add(video);
    });
  }

  #anchor(mediaId: string): { entity_type: EntityType; row: number } | undefined {
    const item = this.#parts.media.find(mediaId);
    if (item) return { entity_type: 'IMAGES', row: item.row };
    const object = this.#parts.objects.find(mediaId);
    return object && { entity_type: 'OBJECTS', row: object.row };
  }

  #items(entityType: EntityType, rows: readonly number[]): Map<number, ScoredItem> {
    if (entityType === 'OBJECTS') {
      const found = this.#parts.objects.listByRows(rows);
      return new Map(
        found.map(({ row, object, picture }) => [
          row,
          { ...picture, row, object, labels: [object.label], caption: object.caption, cosine_distance: null },
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
    entityType: EntityType,
    level: number,
    firstRow: number,
    rows: ArrayLike<number>,
    previews: ScoredItem[],
    cosineDistance: number | null,
  ): ClusterView {
    return {
      cluster_id: this.#parts.clusterIds.encode({ entity_type: entityType, level, first_row: firstRow }),
      level,
      ...this.#countTypes(entityType, rows),
      labels: this.#read().labels[entityType].mostFrequent(rows, CLUSTER_LABELS),
      cosine_distance: cosineDistance,
      previews,
    };
  }

  #countTypes(entityType: EntityType, rows: ArrayLike<number>) {
    const { video_of_rows, media_of_objects } = this.#read();
    let media: ArrayLike<number> = rows;
    if (entityType === 'OBJECTS') {
      const pictures = new Set<number>();
      for (let at = 0; at < rows.length; at += 1) pictures.add(media_of_objects[rows[at] ?? -1] ?? -1);
      media = [...pictures];
    }
    const videos = new Set<number>();
    let nFrames = 0;
    for (let at = 0; at < media.length; at += 1) {
      const video = video_of_rows[media[at] ?? -1] ?? -1;
      if (video < 0) continue;
      nFrames += 1;
      videos.add(video);
    }
    const nObjects = entityType === 'OBJECTS' ? rows.length : 0;
    return { n_images: media.length - nFrames, n_objects: nObjects, n_frames: nFrames, n_videos: videos.size };
  }

  #read(): Tables {
    const { media, objects, annotations, versions } = this.#parts;
    const [nItems, nObjects] = [media.count(), objects.rows()];
    const state = [nItems, nObjects, versions.rows, versions.said].join();
    if (this.#tables?.state === state) return this.#tables;
    this.#tables = {
      state,
      video_of_rows: media.videoOfRows(nItems),
      media_of_objects: objects.mediaRows(nObjects),
      labels: {
        IMAGES: new LabelTable(nItems, annotations.labelsByRow()),
        OBJECTS: new LabelTable(nObjects, objects.labelsByRow()),
      },
    };
    return this.#tables;
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

function distanceOf(found: Found | undefined): number {
  return found?.cosine_distance ?? 0;
}

/** Items of both lists, best first; each is as far off as in the worse one. */
function inBoth(some: readonly Found[], others: readonly Found[]): Found[] {
  const distances = new Map(others.map((found) => [found.row, distanceOf(found)]));
  return some
    .flatMap((found) => {
      const other = distances.get(found.row);
      return other === undefined ? [] : [{ row: found.row, cosine_distance: Math.max(distanceOf(found), other) }];
    })
    .sort((a, b) => a.cosine_distance - b.cosine_distance || a.row - b.row);
}
