import type { EntityType } from '../../contract/schemas/explore.ts';
import type { Facets, ItemSort } from '../../contract/schemas/facets.ts';
import type { IssueName } from '../../contract/schemas/issues.ts';
import type { PixelBox } from './image.ts';
import type { ImageQuality } from './image-quality.ts';
import type { Exif } from './local-jobs.ts';
import type { QueryPlan } from './query.ts';

/** What a dataset's store tells of items, objects and clusters, and what it can be asked for. */

/** A box on an image, with a thumbnail and a place among the clusters of objects. */
export interface ObjectItem {
  object_id: string;
  label: string;
  class_id: number | null;
  box: PixelBox;
  /** `Import` for annotations beside the media, else the model's id. */
  source: string;
  /** 0 … 1 of a model; null of annotations. */
  confidence: number | null;
  caption: string | null;
  /** The model that wrote the caption. */
  caption_source: string | null;
}

/** One item, as much as lists show of it. */
export interface ItemRow {
  row: number;
  media_id: string;
  media_type: 'image' | 'video_frame';
  file_path: string;
  width: number;
  height: number;
  /** Null but for frames. */
  video_id: string | null;
  frame_number: number | null;
  frame_timestamp: number | null;
}

export interface ScoredItem extends ItemRow {
  /** 0 identical … 2 opposite; null where nothing is scored. */
  distance: number | null;
  /** By name: its own and those of its objects, as people corrected them. */
  labels: string[];
  /** Names of tags. */
  tags: string[];
  caption: string | null;
  /** Set where the item is an object: everything but `row` and `labels` is then the image's. */
  object: ObjectItem | null;
}

export interface ItemDetails extends ItemRow {
  /** As ffprobe names it; null but for frames. */
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
  /** The surest first; those of annotations before those of models. */
  label_details: { label: string; source: string; confidence: number | null }[];
  caption_details: { caption: string; source: string }[];
  objects: ObjectItem[];
  tags: { tag_id: string; name: string; assigned_date: string }[];
  /** Left out of the dataset by a person. */
  excluded: boolean;
  cluster_ids: string[];
}

/** An issue that an item or object has. */
export interface FoundIssue {
  issue: IssueName;
  confidence: number;
  /** Of a mislabel: the label that its neighbours have instead. */
  instead: string | null;
}

/** The issues of an item and those that its objects have by themselves, the surest first. */
export interface FoundIssues {
  item: FoundIssue[];
  /** By object id; objects without any are left out. */
  objects: ReadonlyMap<string, FoundIssue[]>;
}

export interface ClusterView {
  cluster_id: string;
  level: number;
  /** Set of a group of duplicates: the confidence that ties it together. */
  duplicates_at: number | null;
  /** Of objects: the images that they are on. */
  n_images: number;
  n_objects: number;
  n_frames: number;
  n_videos: number;
  /** The most frequent labels of its items, at most three. */
  labels: string[];
  /** The most frequent tags, at most three. */
  tags: string[];
  /** What it may be called. */
  suggested_name: string | null;
  distance: number | null;
  previews: ScoredItem[];
}

export interface ClusterList {
  clusters: ClusterView[];
  total_clusters: number;
  /** Clusters of which but one item was found; unless something is compared, they come last. */
  total_singles: number;
  total_items: number;
  /** Where texts are compared by meaning: how many items stand out of the noise, and how far off the last of them is. */
  cut_off: { n_items: number; distance: number | null } | null;
}

export interface ClusterItems {
  entity_type: EntityType;
  cluster: ClusterView;
  items: ScoredItem[];
  total: number;
}

/** A page of what a plan finds. */
export interface ItemQuery {
  plan: QueryPlan;
  sort: ItemSort | undefined;
  descending: boolean;
  offset: number;
  limit: number;
}

export interface ItemList {
  items: ScoredItem[];
  total: number;
}

/** How much of each kind was found. */
export interface FoundCounts {
  n_images: number;
  n_objects: number;
  n_video_frames: number;
}

/** The same with a few of what was found, at most {@link MOST_SAMPLED}. */
export interface FoundSample extends FoundCounts {
  /** Of items or objects. */
  media_ids: string[];
}
export const MOST_SAMPLED = 4;

/** As the wire has them. */
export type FacetCounts = Facets;
