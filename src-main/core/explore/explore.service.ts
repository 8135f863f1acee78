import { AppError } from '../../contract/errors.ts';
import {
  type Cluster,
  type ClusterPage,
  type EntityType,
  type ExplorationMetadata,
  type ExploredType,
  type ExploreResult,
  MAX_PREVIEWS,
  type Preview,
} from '../../contract/schemas/explore.ts';
import type { Image } from '../../contract/schemas/image.ts';
import type { DatasetContext } from '../access/contexts.ts';
import type { CallContext } from '../core.ts';
import type { DatasetService } from '../datasets/dataset.service.ts';
import { type DatasetListRow, isNeverIndexed } from '../datasets/dataset-row.ts';
import type { ShownDistance, TextQueryService } from '../enrichment/text-query.service.ts';
import type { MediaUrls } from '../media/media-urls.ts';
import type { DatasetReader } from '../ports/dataset-reader.ts';
import type { ClusterList, ClusterView, ItemDetails, ScoredItem } from '../ports/explored.ts';
import { planSearch } from './plan-search.ts';
import { type QueryParameters, readQuery } from './vql/read-query.ts';

interface ExploreInput extends QueryParameters {
  entity_type: ExploredType;
  threshold: number;
  page_number: number;
}

/** Labels that a page's metadata list at most. */
const MAX_LABELS = 1000;

/** Reading a dataset: clusters, the items of one, items like another, one item. */
export class ExploreService {
  readonly #datasets: DatasetService;
  readonly #urls: MediaUrls;
  readonly #texts: TextQueryService;

  constructor(datasets: DatasetService, urls: MediaUrls, texts: TextQueryService) {
    this.#datasets = datasets;
    this.#urls = urls;
    this.#texts = texts;
  }

  /** @throws AppError `conflict` for visual search, which the interface has in READY datasets only. */
  async explore(context: DatasetContext, input: ExploreInput): Promise<ExploreResult> {
    const { status_new } = context.dataset;
    if (status_new !== 'READY' && readQuery(input).some(({ name }) => name === 'similarity')) {
      throw new AppError('conflict', `The dataset is ${status_new}; visual search needs READY`);
    }
    return this.#explore(context, input);
  }

  findSimilar(context: DatasetContext, input: ExploreInput & { media_id: string }): Promise<ExploreResult> {
    return this.#explore(context, { ...input, anchor_media_id: input.media_id, anchor_type: 'MEDIA' });
  }

  async #explore(context: DatasetContext, input: ExploreInput): Promise<ExploreResult> {
    const { row, reader } = this.#browsable(context);
    const { found, shownDistance } = await this.#find(context, row, reader, input);
    if (!found) throw new AppError('not_found', 'The anchor is not an item of this dataset');
    const clusters = found.clusters.map((cluster) => withDistances(cluster, shownDistance));
    return {
      clusters: clusters.map((cluster) => this.#presentCluster(context, row, cluster, input.entity_type)),
      metadata: { used_duckdb: false, total_clusters: found.total_clusters, total_items: found.total_items },
    };
  }

  async #find(
    context: CallContext,
    row: DatasetListRow,
    reader: DatasetReader,
    input: ExploreInput,
  ): Promise<{ found: ClusterList | undefined; shownDistance: ShownDistance }> {
    const { entity_type, threshold: level, page_number } = input;
    const page = { entity_type, level, page_number };
    const { like, labels, texts } = planSearch(readQuery(input));
    if (like === undefined && labels.length === 0 && texts.length === 0) {
      const found = entity_type === 'VIDEOS' ? reader.listVideos(page) : reader.listClusters({ ...page, entity_type });
      return { found: await found, shownDistance: (distance) => distance };
    }
    if (like !== undefined && texts.length > 0) {
      throw new AppError('invalid_request', 'Items are compared with an anchor or with a text, not with both at once');
    }
    const vectorsOf = entity_type === 'OBJECTS' ? 'OBJECTS' : 'IMAGES';
    const query = await this.#texts.toVectors(row.dataset_id, reader, vectorsOf, texts, context.signal);
    const anchored = like === undefined ? {} : { like };
    const found = await reader.searchItems({ ...page, labels, texts: query.texts, ...anchored });
    return { found, shownDistance: query.shownDistance };
  }

  async getMetadata(
    context: DatasetContext,
    input: { entity_type: EntityType; threshold: number; page_number: number },
  ): Promise<ExplorationMetadata> {
    const { row, reader } = this.#browsable(context);
    const { entity_type, threshold: level, page_number } = input;
    const found = await reader.listClusters({ entity_type, level, page_number });
    return {
      dataset_id: row.dataset_id,
      dataset_name: row.display_name,
      clusters_count: found.total_clusters,
      media_count: found.total_items,
      labels: await reader.listLabels(entity_type, MAX_LABELS),
      clusters: found.clusters.map(({ cluster_id }) => ({ cluster_id })),
    };
  }

  /** What a dataset can be asked, in the words of the clients that ask. */
  async getUserConfig({ dataset }: DatasetContext) {
    const featureOptions = await this.#texts.options(dataset.dataset_id, this.#datasets.storeOf(dataset).read);
    return { features: [{ feature_key: 'TEXTUAL_SEARCH_IMAGE' as const, feature_options: featureOptions }] };
  }

  async getCluster(
    context: DatasetContext,
    input: { cluster_id: string; page_number: number; page_size: number },
  ): Promise<ClusterPage> {
    const { row, reader } = this.#browsable(context);
    const { cluster_id, page_number, page_size } = input;
    const found = await reader.getCluster({ cluster_id, offset: page_number * page_size, limit: page_size });
    if (!found) throw new AppError('not_found', 'Cluster not found');
    return {
      cluster: this.#presentCluster(context, row, found.cluster, found.entity_type),
      items: found.items.map((item) => this.#presentItem(context, row, item)),
      total: found.total,
      page_number,
      page_size,
    };
  }

  async getImage(context: DatasetContext, input: { image_id: string }): Promise<Image> {
    const { dataset } = context;
    const item = await this.#datasets.storeOf(dataset).read.findItem(input.image_id);
    if (!item) throw new AppError('not_found', 'Image not found');
    return this.#presentImage(context, dataset, item);
  }

  #browsable({ dataset }: DatasetContext): { row: DatasetListRow; reader: DatasetReader } {
    if (isNeverIndexed(dataset)) {
      throw new AppError('conflict', `The dataset is ${dataset.status_new}; it can be explored once it is indexed`);
    }
    return { row: dataset, reader: this.#datasets.storeOf(dataset).read };
  }

  #presentCluster(context: CallContext, row: DatasetListRow, cluster: ClusterView, type: ExploredType): Cluster {
    const size = type === 'OBJECTS' ? cluster.n_objects : cluster.n_images + cluster.n_frames;
    return {
      cluster_id: cluster.cluster_id,
      type,
      n_images: cluster.n_images,
      n_objects: cluster.n_objects,
      n_videos: cluster.n_videos,
      n_frames: cluster.n_frames,
      size_display_value: size.toLocaleString('en-US'),
      formed_by: 'SIMILARITY',
      similarity_threshold: String(cluster.level),
      ...score(cluster.cosine_distance),
      captions: captionsOf(cluster.previews),
      previews: cluster.previews.slice(0, MAX_PREVIEWS).map((item) => this.#presentItem(context, row, item)),
      labels: cluster.labels.length === 0 ? null : cluster.labels,
      user_tags: null,
    };
  }

  /** An object is shown by its own id and thumbnail; everything else is its picture's. */
  #presentItem(context: CallContext, row: DatasetListRow, item: ScoredItem): Preview {
    const mediaId = item.object?.object_id ?? item.media_id;
    const pictureType = item.media_type === 'image' ? ('IMAGE' as const) : ('VIDEO_FRAME' as const);
    const mediaUri = this.#urls.sign(context.baseUrl, 'media', row.dataset_id, item.media_id, item.row);
    return {
      type: item.object ? 'OBJECT' : pictureType,
      media_id: mediaId,
      image_id: item.media_id,
      media_uri: mediaUri,
      image_uri: mediaUri,
      original_uri: mediaUri,
      media_thumb_uri: this.#urls.sign(context.baseUrl, 'thumbnail', row.dataset_id, mediaId, item.row),
      video_uri: item.video_id && this.#urls.sign(context.baseUrl, 'media', row.dataset_id, item.video_id),
      video_name: item.video_id && fileName(videoPath(item.file_path)),
      frame_timestamp: item.frame_timestamp,
      caption: item.caption,
      file_name: fileName(item.file_path),
      bounding_box: item.object?.box ?? null,
      ...score(item.cosine_distance),
      width: item.width,
      height: item.height,
      labels: item.labels.length === 0 ? null : item.labels,
      user_tags: null,
    };
  }

  #presentFrame(context: CallContext, row: DatasetListRow, item: ItemDetails, videoId: string) {
    return {
      video_id: videoId,
      video_name: videoPath(item.file_path),
      video_uri: this.#urls.sign(context.baseUrl, 'media', row.dataset_id, videoId),
      frame_number: item.frame_number ?? 0,
      frame_timestamp: item.frame_timestamp ?? 0,
    };
  }

  #presentImage(context: CallContext, row: DatasetListRow, item: ItemDetails): Image {
    const mediaUri = this.#urls.sign(context.baseUrl, 'media', row.dataset_id, item.media_id, item.row);
    return {
      image_id: item.media_id,
      media_id: item.media_id,
      dataset_id: row.dataset_id,
      media_type: item.media_type,
      file_name: fileName(item.file_path),
      file_path: item.file_path,
      file_size: `${(item.size_bytes / 1024).toFixed(2)}KB`,
      size_bytes: item.size_bytes,
      format: item.format,
      width: item.width,
      height: item.height,
      pages: item.pages,
      created_at: item.created_at,
      modified_at: new Date(item.mtime_ms).toISOString(),
      content_hash: item.content_hash,
      uniqueness_score: item.uniqueness_score,
      image_uri: mediaUri,
      media_uri: mediaUri,
      media_thumb_uri: this.#urls.sign(context.baseUrl, 'thumbnail', row.dataset_id, item.media_id, item.row),
      original_uri: mediaUri,
      quality: { ...item.quality },
      exif: item.exif,
      labels: [...new Set(item.label_details.map(({ label }) => label))],
      label_details: item.label_details,
      captions: item.caption_details.map(({ caption }) => caption),
      caption_details: item.caption_details,
      objects: item.objects.map(({ object_id, box, ...said }) => ({
        object_id,
        ...said,
        bounding_box: box,
        media_thumb_uri: this.#urls.sign(context.baseUrl, 'thumbnail', row.dataset_id, object_id, item.row),
      })),
      video: item.video_id === null ? null : this.#presentFrame(context, row, item, item.video_id),
      cluster_ids: item.cluster_ids,
    };
  }
}

/** Distances of a cluster and its previews as people read them. */
function withDistances(cluster: ClusterView, shownDistance: ShownDistance): ClusterView {
  const shown = (distance: number | null) => (distance === null ? null : shownDistance(distance));
  return {
    ...cluster,
    cosine_distance: shown(cluster.cosine_distance),
    previews: cluster.previews.map((item) => ({ ...item, cosine_distance: shown(item.cosine_distance) })),
  };
}

function score(cosineDistance: number | null) {
  return cosineDistance === null
    ? { relevance_score: null, relevance_score_type: null }
    : { relevance_score: cosineDistance, relevance_score_type: 'cosine_distance' };
}

/** The captions of what a cluster shows, each once. */
function captionsOf(previews: readonly ScoredItem[]): string[] | null {
  const captions = new Set(previews.flatMap(({ caption }) => caption ?? []));
  return captions.size === 0 ? null : [...captions];
}

/** Of a frame's path, that of its video. */
function videoPath(filePath: string): string {
  return filePath.slice(0, filePath.lastIndexOf('/'));
}

function fileName(filePath: string): string {
  return filePath.slice(filePath.lastIndexOf('/') + 1);
}
