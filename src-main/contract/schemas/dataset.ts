import { z } from 'zod';
import { messageSchema } from '../messages.ts';
import { DATASET_ROLES } from '../permissions.ts';

/** Dataset states of interface section 3. */
const DATASET_STATUSES = ['DRAFT', 'INDEXING', 'READ ONLY', 'PARTIAL INDEX', 'READY', 'ERROR'] as const;
export type DatasetStatus = (typeof DATASET_STATUSES)[number];

/** The legacy `status` field, kept for clients that still poll it. */
const LEGACY_STATUSES = ['NEW', 'UPLOADING', 'INDEXING', 'ENRICHING', 'UPDATING', 'READY', 'FATAL_ERROR'] as const;
export type LegacyStatus = (typeof LEGACY_STATUSES)[number];

/** `BUCKET` object storage, `UPLOAD` uploaded files, `FOLDER` a local path, `VL` a copy of another dataset. */
export const SOURCE_TYPES = ['BUCKET', 'UPLOAD', 'FOLDER', 'VL'] as const;

export const dataset = z.object({
  id: z.string(),
  display_name: z.string(),
  description: z.string(),
  source_type: z.enum(SOURCE_TYPES),
  owned_by: z.string(),
  created_by: z.string(),
  /** Ours: role of the caller. */
  my_role: z.enum(DATASET_ROLES),
  created_at: z.string(),
  updated_at: z.string(),
  status_new: z.enum(DATASET_STATUSES),
  status: z.enum(LEGACY_STATUSES),
  progress: z.int().min(0).max(100),
  n_images: z.int(),
  n_videos: z.int(),
  n_objects: z.int(),
  /** Ours: frames of the videos; null until they are first counted. */
  n_frames: z.int().nullable(),
  /** Files that could not be read; list them with `list_file_errors`. */
  n_file_errors: z.int(),
  /** Ours: bytes that the dataset occupies in the data folder, without files that are read in place; null until they are first counted. */
  disk_bytes: z.int().nullable(),
  fatal_error_msg: z.string().nullable(),
  /** Ours: the same as data. */
  failure: messageSchema.nullable(),
  /** Ours: it is `ERROR` because a person stopped what made it, not because that failed. */
  stopped: z.boolean(),
  source_dataset_id: z.string().nullable(),
  source_uri: z.string(),
  preview_uri: z.string().nullable(),
  /** Up to four thumbnails, largest clusters first. */
  preview_uris: z.array(z.string()),
  filename: z.string(),
  sample: z.boolean(),
});
export type Dataset = z.infer<typeof dataset>;

/** An annotation that cannot be used, and why. */
export const annotationProblem = z.object({
  /** Relative path of the annotation file. */
  source_path: z.string(),
  /** Line, row or list index, from 1; null for the whole file. */
  line: z.int().nullable(),
  reason: z.string(),
  /** Ours: the reason as data. */
  problem: messageSchema,
  batch_id: z.string(),
});
export type AnnotationProblem = z.infer<typeof annotationProblem>;

/** A file that could not be used, and why. */
export const fileError = z.object({
  file_path: z.string(),
  file_name: z.string(),
  kind: z.enum(['corrupt', 'unsupported', 'too_large', 'unreadable', 'empty', 'crashed', 'unsafe']),
  reason: z.string(),
  /** Ours: the reason as data. */
  problem: messageSchema,
  size_bytes: z.int().nullable(),
  batch_id: z.string(),
});
export type FileError = z.infer<typeof fileError>;
