import { z } from 'zod';

/** `json` and `parquet` are defined by the interface; the others are ours, for training, and to move files. */
export const EXPORT_FORMATS = [
  'json',
  'parquet',
  'coco',
  'yolo',
  'csv',
  'image_folder',
  'file_list',
  'manifest',
] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Formats that list images and never contain them. */
export const FORMATS_WITHOUT_IMAGES: readonly ExportFormat[] = ['file_list', 'manifest'];

/** Formats that support splits. */
export const SPLIT_FORMATS: readonly ExportFormat[] = ['coco', 'yolo', 'csv', 'image_folder'];

export const SPLITS = ['train', 'val', 'test'] as const;
export type SplitName = (typeof SPLITS)[number];

const EXPORT_STATUSES = ['INIT', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'REJECTED'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];

/** An export. Its id is the id of its task; a rejected export has no task. */
export const exportTask = z.object({
  id: z.string(),
  dataset_id: z.string(),
  created_at: z.string(),
  /** Signed for one to two days, and new in every answer; null until the file exists. */
  download_uri: z.string().nullable(),
  progress: z.int().min(0).max(100),
  status: z.enum(EXPORT_STATUSES),
  entities_count: z.int(),
  /** Result in words; empty until the export has ended. */
  result_message: z.string(),
  export_format: z.enum(EXPORT_FORMATS),
  include_images: z.boolean(),
  file_name: z.string(),
  size_bytes: z.int().nullable(),
  /** Ours: `FAILED` because a person stopped it. */
  is_stopped: z.boolean(),
  /** When the file is deleted. */
  expires_at: z.string(),
});
export type ExportTask = z.infer<typeof exportTask>;

/** An annotation of an item or object: issue, label, tag, caption, video or custom metadata. */
export interface MetadataItem {
  type: 'issue' | 'image_label' | 'object_label' | 'user_tag' | 'video_info' | 'caption' | 'custom_metadata';
  properties: Readonly<Record<string, unknown>>;
}

export const SCHEMA_VERSION = '1.1';

/** The `info` object of `metadata.json`. */
export interface ExportInfo {
  schema_version: typeof SCHEMA_VERSION;
  dataset: string;
  description: string;
  dataset_url: string;
  export_time: string;
  dataset_creation_time: string;
  exported_by: string;
  total_media_items: number;
}

/** One of `media_items` in `metadata.json`; a row of `metadata.parquet`. */
export interface MediaItem {
  media_id: string;
  media_type: 'image' | 'video_frame';
  file_name: string;
  /** Path below `images/`. */
  image_filename: string;
  /** Path relative to the dataset's root; for a frame, below the path of its video. */
  file_path: string;
  /** Such as `48.27KB`. */
  file_size: string;
  /** Null for items without an embedding. */
  uniqueness_score: number | null;
  height: number;
  width: number;
  url: string;
  image_uri: string;
  /** Cluster at the requested level; null for unclustered items. */
  cluster_id: string | null;
  metadata_items: MetadataItem[];
}
