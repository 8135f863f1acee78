import { z } from 'zod';
import { boundingBox } from './explore.ts';
import { issue } from './issues.ts';

/** One item with all that is known of it. */
export const image = z.object({
  image_id: z.string(),
  media_id: z.string(),
  dataset_id: z.string(),
  media_type: z.enum(['image', 'video_frame']),
  file_name: z.string(),
  /** Relative to the dataset's root. */
  file_path: z.string(),
  file_size: z.string(),
  size_bytes: z.int(),
  format: z.string(),
  width: z.int(),
  height: z.int(),
  /** More than one: the image is the first page or frame of the file. */
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
  /** What may be wrong with it, the surest first; empty until the dataset is indexed. */
  issues: z.array(issue),
  /** What the camera wrote; null where the file has none. */
  exif: z
    .object({
      camera: z.string().nullable(),
      lens: z.string().nullable(),
      taken_at: z.string().nullable(),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
    })
    .nullable(),
  /** Of a frame: its video and its place there; null of an image. */
  video: z
    .object({
      video_id: z.string(),
      video_name: z.string(),
      video_uri: z.string(),
      /** From 0, in the order of showing. */
      frame_number: z.int(),
      /** Seconds. */
      frame_timestamp: z.number(),
      /** As ffprobe names it, such as `h264`: what decides whether a browser plays it. */
      codec: z.string(),
    })
    .nullable(),
  labels: z.array(z.string()),
  /** The same with who says so: `User` for a person, `Import` for annotations beside the media, else a model's id, which is more or less sure. */
  label_details: z.array(z.object({ label: z.string(), source: z.string(), confidence: z.number().nullable() })),
  /** `assigned_date`: `YYYY-MM-DD`. */
  user_tags: z.array(z.object({ tag_id: z.string(), name: z.string(), assigned_date: z.string() })),
  /** Left out of the dataset by a person; nothing finds it but a query for what was left out. */
  excluded: z.boolean(),
  captions: z.array(z.string()),
  caption_details: z.array(z.object({ caption: z.string(), source: z.string() })),
  /** What is on the image, each with its own thumbnail; boxes are in pixels of the upright image. */
  objects: z.array(
    z.object({
      object_id: z.string(),
      label: z.string(),
      /** The class's number in the annotations or the model's list, where they number classes. */
      class_id: z.int().nullable(),
      bounding_box: boundingBox,
      /** Who says so: `Import` for annotations beside the media, else a model's id. */
      source: z.string(),
      /** 0 … 1 of a model; null of annotations. */
      confidence: z.number().nullable(),
      caption: z.string().nullable(),
      caption_source: z.string().nullable(),
      /** What may be wrong with the object itself, the surest first. */
      issues: z.array(issue),
      media_thumb_uri: z.string(),
    }),
  ),
  /** The item's cluster at each of the five thresholds, finest first; empty until the dataset is indexed. */
  cluster_ids: z.array(z.string()),
});
export type Image = z.infer<typeof image>;
