import { hash } from 'node:crypto';
import { amount } from '../../contract/amount.ts';
import type { DuplicateGroup } from '../../contract/schemas/duplicates.ts';
import {
  type Cluster,
  COVER_SHEET,
  type ExploredType,
  MAX_PREVIEWS,
  type Preview,
} from '../../contract/schemas/explore.ts';
import type { ListedItem as ApiItem } from '../../contract/schemas/facets.ts';
import type { Image } from '../../contract/schemas/image.ts';
import type { DatasetContext } from '../access/contexts.ts';
import { calibratedDistance } from '../enrichment/calibration.ts';
import { writeCovers } from '../media/cover-ids.ts';
import type { MediaUrls } from '../media/media-urls.ts';
import { type SignUrl, urlSigner } from '../media/sign-url.ts';
import type { FoundDuplicates } from '../ports/duplicates.ts';
import type { ClusterView } from '../ports/explore.ts';
import type { FoundIssues } from '../ports/issues.ts';
import type { ItemDetails, ListedItem, ScoredItem } from '../ports/items.ts';
import type { PageForm, ShownScore } from '../ports/pages.ts';
import { presentIssue } from './present-issue.ts';

/** Number of letters that identify a version of the covers of a sheet. */
const VERSION_LETTERS = 11;

const UNSCORED: ShownScore = { type: '', scale: 'unchanged' };

/** Converts clusters and items from a dataset's store to their API form. One instance serves one response. */
export class ExplorePresenter {
  readonly #datasetId: string;
  readonly #sign: SignUrl;
  readonly #shown: ShownScore;

  /** Presents items of queries without a score. */
  static for(urls: MediaUrls, context: DatasetContext): ExplorePresenter {
    return new ExplorePresenter({ signing: urls.signing(context, context.dataset.dataset_id), shown: UNSCORED });
  }

  constructor({ signing, shown }: PageForm) {
    this.#datasetId = signing.dataset_id;
    this.#sign = urlSigner(signing);
    this.#shown = shown;
  }

  cluster(cluster: ClusterView, type: ExploredType): Cluster {
    const { n_images, n_objects, n_videos, n_frames } = cluster;
    const size = type === 'OBJECTS' ? n_objects : type === 'VIDEOS' ? n_videos : n_images + n_frames;
    return {
      cluster_id: cluster.cluster_id,
      type,
      ...{ n_images, n_objects, n_videos, n_frames },
      size_display_value: amount(size),
      formed_by: cluster.duplicates_at === null ? 'SIMILARITY' : 'DUPLICATES',
      similarity_threshold: String(cluster.duplicates_at ?? cluster.level),
      relevance_score: this.#score(cluster.distance),
      relevance_score_type: this.#shown.type,
      captions: captionsOf(cluster.previews),
      previews: previewsOf(cluster).map((item) => this.item(item)),
      labels: cluster.labels.length === 0 ? null : cluster.labels,
      user_tags: cluster.tags.length === 0 ? null : cluster.tags,
      name: cluster.name,
      suggested_name: cluster.suggested_name,
      is_merged: cluster.is_merged,
    };
  }

  /** An object has its own id and thumbnail; all other properties are those of its image. */
  item(item: ScoredItem): Preview {
    const mediaId = item.object?.object_id ?? item.media_id;
    const imageType = item.media_type === 'image' ? ('IMAGE' as const) : ('VIDEO_FRAME' as const);
    const mediaUri = this.#sign('media', item.media_id, item.row);
    return {
      type: item.object ? 'OBJECT' : imageType,
      media_id: mediaId,
      image_id: item.media_id,
      media_uri: mediaUri,
      image_uri: mediaUri,
      original_uri: mediaUri,
      media_thumb_uri: this.#sign('thumbnail', mediaId, item.row),
      video_uri: item.video_id && this.#sign('media', item.video_id),
      video_name: item.video_id && fileName(videoPath(item.file_path)),
      frame_timestamp: item.frame_timestamp,
      caption: item.caption,
      file_name: fileName(item.file_path),
      bounding_box: item.object?.box ?? null,
      confidence: item.object?.confidence ?? null,
      relevance_score: this.#score(item.distance),
      relevance_score_type: this.#shown.type,
      width: item.width,
      height: item.height,
      labels: item.labels.length === 0 ? null : item.labels,
      user_tags: item.tags.length === 0 ? null : item.tags,
    };
  }

  /** An item with its other fields, if the store has read them. */
  #withFields(item: ListedItem): ApiItem {
    const { fields, object } = item;
    if (!fields) return this.item(item);
    const { mtime_ms, issues, ...others } = fields;
    return {
      ...this.item(item),
      details: {
        file_path: item.file_path,
        ...others,
        modified_at: new Date(mtime_ms).toISOString(),
        source: object?.source ?? null,
        issues: issues.map(presentIssue),
      },
    };
  }

  /** A group of duplicates, the copy to keep first. */
  copies(group: FoundDuplicates['groups'][number]): DuplicateGroup {
    const items = group.items.map(({ item, confidence, format, size_bytes }) => ({
      ...this.item(item),
      confidence,
      file_path: item.file_path,
      format,
      size_bytes,
    }));
    return { ...group, items, keep_media_id: items[0]?.media_id ?? '' };
  }

  /** Items of a list, and the images with their covers. */
  listed(items: readonly ListedItem[]): { items: ApiItem[]; cover_sheets: string[] } {
    return {
      items: items.map((item) => this.#withFields(item)),
      cover_sheets: this.#sheets(items.map((item) => [item])),
    };
  }

  /** Addresses of the images with the covers of the clusters. */
  coverSheets(clusters: readonly ClusterView[]): string[] {
    return this.#sheets(clusters.map(previewsOf));
  }

  /** @param shown The items of each cover. */
  #sheets(shown: readonly (readonly ScoredItem[])[]): string[] {
    const sheets = Array.from({ length: Math.ceil(shown.length / COVER_SHEET.covers) }, (_, nth) =>
      shown.slice(nth * COVER_SHEET.covers, (nth + 1) * COVER_SHEET.covers),
    );
    return sheets.map((covers) => {
      const ids = covers.map((items) => items.map(({ object, media_id }) => object?.object_id ?? media_id));
      const rows = covers.flat().map(({ row }) => row);
      return this.#sign('cover', writeCovers(ids), hash('sha256', rows.join(), 'base64url').slice(0, VERSION_LETTERS));
    });
  }

  #score(distance: number | null): number | null {
    return distance === null ? null : shownDistance(distance, this.#shown);
  }

  #frame(item: ItemDetails, videoId: string) {
    return {
      video_id: videoId,
      video_name: videoPath(item.file_path),
      video_uri: this.#sign('media', videoId),
      frame_number: item.frame_number ?? 0,
      frame_timestamp: item.frame_timestamp ?? 0,
      codec: item.video_codec ?? '',
    };
  }

  image(item: ItemDetails, issues: FoundIssues): Image {
    const mediaUri = this.#sign('media', item.media_id, item.row);
    return {
      image_id: item.media_id,
      media_id: item.media_id,
      dataset_id: this.#datasetId,
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
      media_thumb_uri: this.#sign('thumbnail', item.media_id, item.row),
      original_uri: mediaUri,
      quality: { ...item.quality },
      issues: issues.item.map(presentIssue),
      exif: item.exif,
      labels: [...new Set(item.label_details.map(({ label }) => label))],
      label_details: item.label_details,
      user_tags: item.tags,
      excluded: item.excluded,
      captions: item.caption_details.map(({ caption }) => caption),
      caption_details: item.caption_details,
      objects: item.objects.map(({ object_id, box, ...annotations }) => ({
        object_id,
        ...annotations,
        bounding_box: box,
        issues: (issues.objects.get(object_id) ?? []).map(presentIssue),
        media_thumb_uri: this.#sign('thumbnail', object_id, item.row),
      })),
      video: item.video_id === null ? null : this.#frame(item, item.video_id),
      cluster_ids: item.cluster_ids,
    };
  }
}

/** Converts a stored distance to the one that users and clients see. */
export function shownDistance(stored: number, { scale }: ShownScore): number {
  if (scale === 'unchanged') return stored;
  return scale === 'not_negative' ? Math.max(0, stored) : calibratedDistance(1 - stored, scale);
}

function previewsOf({ previews }: ClusterView): ScoredItem[] {
  return previews.slice(0, MAX_PREVIEWS);
}

/** Returns the distinct captions of a cluster's previews. */
function captionsOf(previews: readonly ScoredItem[]): string[] | null {
  const captions = new Set(previews.flatMap(({ caption }) => caption ?? []));
  return captions.size === 0 ? null : [...captions];
}

/** Returns the path of a frame's video. */
function videoPath(filePath: string): string {
  return filePath.slice(0, filePath.lastIndexOf('/'));
}

function fileName(filePath: string): string {
  return filePath.slice(filePath.lastIndexOf('/') + 1);
}
