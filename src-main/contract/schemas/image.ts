import { z } from 'zod';
import { boundingBox } from './explore.ts';
import { issue } from './issues.ts';

/** Minimum confidence of labels from taggers where no other is asked for, and of those that are stored. */
export const [DEFAULT_LABEL_CONFIDENCE, LEAST_LABEL_CONFIDENCE] = [0.2, 0.05] as const;

/** An item with all of its data. */
export const image = z.object({
  image_id: z.string(),
  media_id: z.string(),
  dataset_id: z.string(),
  media_type: z.enum(['image', 'video_frame']),
  file_name: z.string(),
  /** Path relative to the dataset's root. */
  file_path: z.string(),
  file_size: z.string(),
  size_bytes: z.int(),
  format: z.string(),
  width: z.int(),
  height: z.int(),
  /** Number of pages or frames in the file; the image is the first. */
  pages: z.int(),
  created_at: z.string(),
  modified_at: z.string(),
  content_hash: z.string(),
  uniqueness_score: z.number().nullable(),
  image_uri: z.string(),
  media_uri: z.string(),
  media_thumb_uri: z.string(),
  original_uri: z.string(),
  /** Statistics of the image by name (see infra/images). */
  quality: z.record(z.string(), z.number()),
  /** Issues, highest confidence first; empty until the dataset is indexed. */
  issues: z.array(issue),
  /** EXIF data; null if the file has none. */
  exif: z
    .object({
      camera: z.string().nullable(),
      lens: z.string().nullable(),
      taken_at: z.string().nullable(),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
    })
    .nullable(),
  /** For a frame its video and position; null for an image. */
  video: z
    .object({
      video_id: z.string(),
      video_name: z.string(),
      video_uri: z.string(),
      /** Index in presentation order, from 0. */
      frame_number: z.int(),
      /** Seconds. */
      frame_timestamp: z.number(),
      /** Codec as ffprobe names it, such as `h264`; decides whether browsers can play the video. */
      codec: z.string(),
    })
    .nullable(),
  labels: z.array(z.string()),
  /** Labels with their sources: `User`, `Import` for annotation files, else a model id with a confidence. */
  label_details: z.array(z.object({ label: z.string(), source: z.string(), confidence: z.number().nullable() })),
  /** `assigned_date`: datetime in UTC. */
  user_tags: z.array(z.object({ tag_id: z.string(), name: z.string(), assigned_date: z.string() })),
  /** Whether the item is excluded; only queries for excluded items return it. */
  excluded: z.boolean(),
  captions: z.array(z.string()),
  caption_details: z.array(z.object({ caption: z.string(), source: z.string() })),
  /** Objects on the image with thumbnails; boxes are in pixels of the upright image. */
  objects: z.array(
    z.object({
      object_id: z.string(),
      label: z.string(),
      /** Number of the class in the annotations or the model's list, if classes are numbered. */
      class_id: z.int().nullable(),
      bounding_box: boundingBox,
      /** Source: `Import` for annotation files, else a model id. */
      source: z.string(),
      /** 0 … 1 for models; null for annotations. */
      confidence: z.number().nullable(),
      caption: z.string().nullable(),
      caption_source: z.string().nullable(),
      /** Issues of the object itself, highest confidence first. */
      issues: z.array(issue),
      media_thumb_uri: z.string(),
    }),
  ),
  /** The item's cluster at each of the five thresholds, finest first; empty until the dataset is indexed. */
  cluster_ids: z.array(z.string()),
});
export type Image = z.infer<typeof image>;
