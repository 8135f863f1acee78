import type { ByteRange } from './byte-range.ts';
import type { DuplicateJobs } from './duplicates.ts';
import type { Encoders } from './encoder.ts';
import type { Exif } from './exif.ts';
import type { FailedImage, PixelBox } from './image.ts';
import type { ImageQuality } from './image-quality.ts';
import type { IndexRequest, IndexSummary } from './index-jobs.ts';
import type { ModelOutput, ModelRef } from './inference.ts';
import type { ProjectionJobs } from './projection.ts';
import type { SpaceVectors } from './vector-space.ts';

/**
 * Work on this machine's files that needs much CPU and may crash: a pool of processes that share a limit on memory. Everything that crosses
 * is plain data (structured clone), spelled as it is stored. An image is read and decoded once, whatever is made of it.
 */
export interface LocalJobs extends DuplicateJobs, ProjectionJobs {
  /** Maximum number of processes that work on images at once. */
  readonly size: number;
  /**
   * Describes images on one process, in the given order. Never rejects for an item: a file that is corrupt, too large, or ends the process
   * that reads it is a {@link FailedImage}. Rejects when `signal` aborts (AbortError) or the pool is closed.
   */
  describeImages(items: ImageRequest[], encoders: Encoders, signal?: AbortSignal): Promise<ImageResult[]>;
  /** Starts the processes for {@link describeImages} and loads their models, so that the first images need not wait for them. */
  warm(encoders: Encoders): void;
  /**
   * Composes thumbnails into one square WebP image; a damaged one leaves its cell empty.
   * @throws AppError `not_found` when none of them can be read.
   */
  composeCover(thumbnails: Thumbnail[], signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Applies models to image files on one process, in the given order. Never rejects for an item, as {@link describeImages}; a model that
   * fails on one image is that image's `failed` output.
   * @param boxModels Applied to the objects that are found, from the same decode; without them objects are boxes and labels.
   * @throws AppError `unavailable` when a model cannot be loaded, with its name.
   */
  applyModels(
    items: ImageRequest[],
    models: readonly ModelRef[],
    signal?: AbortSignal,
    boxModels?: readonly ModelRef[],
  ): Promise<AppliedImage[]>;
  /** Applies models to boxes on images and makes a thumbnail of each box; a box that models fail on has `failed` outputs. */
  applyToCrops(items: CropsRequest[], models: readonly ModelRef[], signal?: AbortSignal): Promise<AppliedCrops[]>;
  /** Runs an index job on one process with all cores; a process that dies is restarted once for it, then the job fails. */
  buildIndex(
    request: IndexRequest,
    options: { signal?: AbortSignal; onProgress?: (fraction: number) => void },
  ): Promise<IndexSummary>;
}

export interface ImageRequest {
  /** Key chosen by the caller, returned with the result. */
  key: number;
  /** Absolute path of the file to read. */
  path: string;
  /** Swaps red and blue in TIFF and HEIC files, for cameras that wrote them the wrong way round. */
  swap_rgb?: boolean;
}

export interface DescribedImage {
  key: number;
  ok: true;
  /** Pixels after EXIF orientation. */
  width: number;
  height: number;
  format: string;
  /** Pages or animation frames in the file; only the first is described. */
  pages: number;
  content_hash: string;
  size_bytes: number;
  mtime_ms: number;
  /** WebP bytes. */
  thumbnail: Uint8Array;
  quality: ImageQuality;
  exif: Exif | null;
  vectors: SpaceVectors;
  /** Why the vector of the meaning space is missing. */
  failure?: { model_id: string; reason: string };
}

export type ImageResult = DescribedImage | FailedImage;

export interface CropRequest {
  /** Key chosen by the caller, returned with the result. */
  key: number;
  box: PixelBox;
}

/** An image and its boxes, all described from one decode. */
export interface CropsRequest extends ImageRequest {
  /** Size of the upright image when the boxes were made; a file that now has another size fails. */
  width: number;
  height: number;
  crops: CropRequest[];
}

/** A box cut from its image: its thumbnail and the results of models, in their order. */
export type DescribedBox = { ok: true; thumbnail: Uint8Array; outputs: ModelOutput[] } | { ok: false; reason: string };

/** `outputs` are in the order of the models; `boxes` has the objects of each output, in order, and is empty without box models. */
export type AppliedImage =
  | { key: number; ok: true; width: number; height: number; outputs: ModelOutput[]; boxes: DescribedBox[][] }
  | FailedImage;

export type AppliedCrops = { key: number; ok: true; crops: (DescribedBox & { key: number })[] } | FailedImage;

/** Where a thumbnail is stored. */
export type Thumbnail = Pick<ByteRange, 'path' | 'offset' | 'length' | 'crc32'>;
