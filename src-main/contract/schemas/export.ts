import { z } from 'zod';

/** `json` and `parquet` are the interface's; the others are ours, for those who train models. */
export const EXPORT_FORMATS = ['json', 'parquet', 'coco', 'yolo', 'csv', 'image_folder'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Those that part the items into sets. */
export const SPLIT_FORMATS: readonly ExportFormat[] = ['coco', 'yolo', 'csv', 'image_folder'];

export const SPLITS = ['train', 'val', 'test'] as const;
export type SplitName = (typeof SPLITS)[number];

export const EXPORT_STATUSES = ['INIT', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'REJECTED'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];

/** An export, whole in every answer. Its id is that of its task, but for one that was rejected: that has none. */
export const exportTask = z.object({
  id: z.string(),
  dataset_id: z.string(),
  created_at: z.string(),
  /** Signed, for a day or two, and new with every answer; null until there is something to fetch. */
  download_uri: z.string().nullable(),
  progress: z.int().min(0).max(100),
  status: z.enum(EXPORT_STATUSES),
  entities_count: z.int(),
  /** How it ended, in words; empty until then. */
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

/** What is said of an item or object: an issue, a label, a tag, a caption, the video that it is of, or a value of a custom field. */
export interface MetadataItem {
  type: 'issue' | 'image_label' | 'object_label' | 'user_tag' | 'video_info' | 'caption' | 'custom_metadata';
  properties: Readonly<Record<string, unknown>>;
}

export const SCHEMA_VERSION = '1.1';

/** The beginning of `metadata.json`. */
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
  /** Where it is below `images/`. */
  image_filename: string;
  /** Relative to the dataset's root; of a frame, below the path of its video. */
  file_path: string;
  /** Such as `48.27KB`. */
  file_size: string;
  /** Null where nothing is known of what it looks like. */
  uniqueness_score: number | null;
  height: number;
  width: number;
  url: string;
  image_uri: string;
  /** At the threshold that the export was asked for with; null where it is in none. */
  cluster_id: string | null;
  metadata_items: MetadataItem[];
}
