import type { MetadataValue } from '../../contract/schemas/custom-metadata.ts';
import type { ByteRange } from './byte-range.ts';
import type { Exif } from './exif.ts';
import type { PixelBox } from './image.ts';
import type { ImageQuality } from './image-quality.ts';
import type { FoundIssue } from './issues.ts';
import type { StoreMethods } from './store-methods.ts';

/** A box on an image, with its own thumbnail and its own position among the clusters of objects. */
export interface ObjectItem {
  object_id: string;
  label: string;
  class_id: number | null;
  box: PixelBox;
  /** `Import` for annotations from files, else the model's id. */
  source: string;
  /** Confidence of the model, 0 … 1; null for annotations. */
  confidence: number | null;
  caption: string | null;
  /** Id of the model that generated the caption. */
  caption_source: string | null;
}

/** The columns of an item that lists show. */
export interface ItemRow {
  row: number;
  media_id: string;
  media_type: 'image' | 'video_frame';
  file_path: string;
  width: number;
  height: number;
  /** Set for video frames only, like the next two columns. */
  video_id: string | null;
  frame_number: number | null;
  frame_timestamp: number | null;
}

export interface ScoredItem extends ItemRow {
  /** Distance from the query, from 0 (identical) to 2 (opposite); null when the query has no score. */
  distance: number | null;
  /** Names of the labels of the item and of its objects, with the corrections of users applied. */
  labels: string[];
  /** Names of the item's tags. */
  tags: string[];
  caption: string | null;
  /** Set when the list is of objects: all columns except `row` and `labels` are then those of the object's image. */
  object: ObjectItem | null;
}

export interface ItemDetails extends ItemRow {
  /** Codec name as ffprobe reports it; set for video frames only. */
  video_codec: string | null;
  format: string;
  pages: number;
  content_hash: string;
  size_bytes: number;
  mtime_ms: number;
  created_at: string;
  uniqueness_score: number | null;
  quality: ImageQuality;
  exif: Exif | null;
  /** Labels of annotations first, then those of models by descending confidence. */
  label_details: { label: string; source: string; confidence: number | null }[];
  caption_details: { caption: string; source: string }[];
  objects: ObjectItem[];
  tags: { tag_id: string; name: string; assigned_date: string }[];
  /** Whether a user excluded the item from the dataset. */
  excluded: boolean;
  cluster_ids: string[];
}

/** Fields of an item or object that only tables show. */
export interface TableFields {
  format: string;
  size_bytes: number;
  mtime_ms: number;
  created_at: string;
  sharpness: number;
  uniqueness_score: number | null;
  issues: FoundIssue[];
  custom_metadata: MetadataValue[];
  cluster: { cluster_id: string; name: string | null; n_items: number } | null;
}

export interface ListedItem extends ScoredItem {
  /** Set if they were asked for. */
  fields?: TableFields;
}

export interface ItemList {
  items: ListedItem[];
  total: number;
}

export interface StoreCounts {
  n_files: number;
  n_pending: number;
  n_images: number;
  n_videos: number;
  n_objects: number;
  n_frames: number;
  n_file_errors: number;
  /** Number of excluded items. Only the counts of files include them. */
  n_excluded: number;
  /** Number of missing files of watched folders. No other count includes them. */
  n_missing: number;
  /** Number of annotation files. No other count includes them. */
  n_annotation_files: number;
  n_labels: number;
  n_captions: number;
  n_annotation_problems: number;
}

/** Reads single items, their files, and the counts of the dataset. */
export interface ItemReads {
  /**
   * Finds an item.
   * @param labelConfidence Minimum confidence of labels from models; undefined for the default.
   * @returns Undefined for an unknown id.
   */
  find(mediaId: string, labelConfidence?: number): Promise<ItemDetails | undefined>;
  /** Locates the bytes of an item's original file. @returns Undefined for an unknown id. */
  locateOriginal(mediaId: string): Promise<ByteRange | undefined>;
  /** Locates the thumbnail of an item or object. @returns Undefined for an unknown id. */
  locateThumbnail(mediaId: string): Promise<ByteRange | undefined>;
  /** Locates many thumbnails, in the order of the ids. */
  locateThumbnails(mediaIds: readonly string[]): Promise<(ByteRange | undefined)[]>;
  /** Lists items in the order in which they were read, including those not indexed yet, without labels, tags and captions. */
  listArrivals(page: { offset: number; limit: number }): Promise<ItemList>;
  /** Returns the counts of the whole dataset, or of one batch. */
  counts(batchId?: string): Promise<StoreCounts>;
}

export const itemMethods: StoreMethods<ItemReads> = {
  find: 'read',
  locateOriginal: 'read',
  locateThumbnail: 'read',
  locateThumbnails: 'read',
  listArrivals: 'read',
  counts: 'read',
};
