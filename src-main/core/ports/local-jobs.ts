import type { Message } from '../../contract/messages.ts';
import type { JointGraph } from '../../contract/schemas/model-definition.ts';
import type { ByteRange } from './byte-range.ts';
import type { DuplicateJobs } from './duplicates.ts';
import type { Encoders } from './encoder.ts';
import type { Exif } from './exif.ts';
import type { FailedImage, PixelBox } from './image.ts';
import type { ImageQuality } from './image-quality.ts';
import type { IndexRequest, IndexSummary } from './index-jobs.ts';
import type { AppliedImage, DescribedBox, ModelRef } from './inference.ts';
import type { ProjectionJobs } from './projection.ts';
import type { SpaceVectors } from './vector-space.ts';
import type { CopyJobs } from './vectors.ts';

/**
 * CPU-intensive jobs on local files that may crash, run in a pool of processes with a shared memory limit. All arguments and results are
 * plain data (structured clone), spelled as stored. Each image is read and decoded once per call.
 */
export interface LocalJobs extends CopyJobs, DuplicateJobs, ProjectionJobs {
  /** Maximum number of processes that work on images simultaneously. */
  readonly size: number;
  /**
   * Describes images on one process, in the given order. Never rejects for an item: a file that is corrupt or too large, or that crashes
   * the process, results in a {@link FailedImage}. Rejects when `signal` aborts (AbortError) or the pool is closed.
   */
  describeImages(items: ImageRequest[], encoders: Encoders, signal?: AbortSignal): Promise<ImageResult[]>;
  /** Starts the processes for {@link describeImages} and loads their models, so that the first images do not wait for loading. */
  warm(encoders: Encoders): void;
  /**
   * Draws covers of thumbnails side by side into one WebP image, {@link COVER_SHEET} columns of squares of `px` pixels. The place of a
   * thumbnail that is undefined or damaged stays empty.
   * @throws AppError `not_found` when no thumbnail can be read.
   */
  drawCovers(
    covers: readonly (readonly (Thumbnail | undefined)[])[],
    px: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Applies models to image files on one process, in the given order. Like {@link describeImages}, never rejects for an item. If a model
   * fails on an image, the image gets a `failed` output for this model.
   * @param boxModels Models to apply to the detected objects, using the same decode; without them objects have only boxes and labels.
   * @throws AppError `unavailable` with the model's name when a model cannot be loaded.
   */
  applyModels(
    items: ImageRequest[],
    models: readonly ModelRef[],
    signal?: AbortSignal,
    boxModels?: readonly ModelRef[],
  ): Promise<AppliedImage[]>;
  /** Applies models to boxes on images and creates a thumbnail of each box. A box that models fail on gets `failed` outputs. */
  applyToCrops(items: CropsRequest[], models: readonly ModelRef[], signal?: AbortSignal): Promise<AppliedCrops[]>;
  /** Runs an index job on one process with all cores. If the process crashes, the job is retried once in a new process; then it fails. */
  buildIndex(
    request: IndexRequest,
    options: { signal?: AbortSignal; onProgress?: (fraction: number) => void },
  ): Promise<IndexSummary>;
  /**
   * Cuts a graph with an image and a text encoder into two, and writes the factor by which it multiplies cosines.
   * @throws AppError `unavailable` when the graph cannot be cut, or its parts give other vectors than the whole; `disk_full`.
   */
  splitEncoder(request: SplitRequest, signal?: AbortSignal): Promise<void>;
}

export interface SplitRequest {
  /** Absolute path of the folder with the package's files. */
  folder: string;
  joint: JointGraph;
  /** Size of the images that the graph takes. */
  width_px: number;
  height_px: number;
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
  /** Size in pixels after EXIF orientation. */
  width: number;
  height: number;
  format: string;
  /** Number of pages or animation frames in the file; only the first is described. */
  pages: number;
  content_hash: string;
  size_bytes: number;
  mtime_ms: number;
  /** WebP bytes. */
  thumbnail: Uint8Array;
  quality: ImageQuality;
  exif: Exif | null;
  vectors: SpaceVectors;
  /** Set if the encoder of the `meaning` space failed; the vector is then missing. */
  failure?: { model_id: string; reason: Message };
}

export type ImageResult = DescribedImage | FailedImage;

export interface CropRequest {
  /** Key chosen by the caller, returned with the result. */
  key: number;
  box: PixelBox;
}

/** An image and its boxes, described from a single decode. */
export interface CropsRequest extends ImageRequest {
  /** Size of the upright image when the boxes were made; a file whose size has changed fails. */
  width: number;
  height: number;
  crops: CropRequest[];
}

export type AppliedCrops = { key: number; ok: true; crops: (DescribedBox & { key: number })[] } | FailedImage;

/** File and byte range of a stored thumbnail. */
export type Thumbnail = Pick<ByteRange, 'path' | 'offset' | 'length' | 'crc32'>;
