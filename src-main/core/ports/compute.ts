/**
 * What the core asks of the compute processes: work that burns CPU and may crash without taking the core along.
 * Everything that crosses is plain data (structured clone), spelled as it is stored.
 */

import type { ByteRange } from './byte-range.ts';
import type { DuplicateCompute } from './duplicates.ts';
import type { Encoders } from './encoder.ts';
import type { FailedImage, PixelBox } from './image.ts';
import type { ImageQuality } from './image-quality.ts';
import type { AppliedCrops, AppliedImage, DeviceCheck, ModelSpec } from './model.ts';
import type { ProjectionCompute } from './projection.ts';
import type { SpaceVectors } from './vector-space.ts';

export interface ImageRequest {
  /** The caller's key of the item, given back with its result. */
  key: number;
  /** Absolute path of the file to read. */
  path: string;
  /** Red and blue change places in TIFF and HEIC files, for cameras that wrote them the wrong way round. */
  swap_rgb?: boolean;
}

/** What the camera wrote; null where it did not. */
export interface Exif {
  camera: string | null;
  lens: string | null;
  /** ISO 8601, with an offset only if the file states one. */
  taken_at: string | null;
  /** Decimal degrees. */
  latitude: number | null;
  longitude: number | null;
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
  /** Why it has no vector of meaning, where it should have one. */
  failure?: { model_id: string; reason: string };
}

export type ImageResult = DescribedImage | FailedImage;

export interface CropRequest {
  /** The caller's key of the box, given back with its result. */
  key: number;
  box: PixelBox;
}

/** An image whose boxes are described, all from one decode. */
export interface CropsRequest extends ImageRequest {
  /** The upright image's size when the boxes were made; a file of another size has changed and fails. */
  width: number;
  height: number;
  crops: CropRequest[];
}

/** Builds, extends or re-clusters the neighbour graph and inverted lists of one entity type; everything goes by file (see infra/vectors). */
export interface IndexRequest {
  mode: 'full' | 'extend' | 'recluster';
  vectors_folder: string;
  dim: number;
  count: number;
  graph_in?: string;
  graph_out: string;
  clusters_in?: string;
  clusters_out: string;
  uniqueness_out: string;
  lists_in?: string;
  lists_out: string;
  dead_rows?: number[];
  /** Average similarities at which groups stop growing, finest first; what is missing of all five is found from the vectors. */
  linkage_thresholds: number[];
}

export interface IndexSummary {
  /** Clusters at each of the five thresholds, finest first. */
  n_clusters: number[];
  recall_estimate: number;
  /** Those asked for, or those that were found. */
  linkage_thresholds: number[];
}

/** Where a thumbnail is. */
export type Thumbnail = Pick<ByteRange, 'path' | 'offset' | 'length' | 'crc32'>;

export interface ComputePool extends DuplicateCompute, ProjectionCompute {
  /** Processes that may run item jobs at once. */
  readonly size: number;
  /**
   * Describes images on one process, in the given order, each from one read and one decode whatever the encoders. Never rejects for an item: a corrupt, hostile or process-killing file is a
   * {@link FailedImage}. Rejects when `signal` aborts (AbortError) or the pool is closed.
   */
  describeImages(items: ImageRequest[], encoders: Encoders, signal?: AbortSignal): Promise<ImageResult[]>;
  /** Starts the processes for {@link describeImages} and loads their models, so that the first images need not wait for that. */
  warm(encoders: Encoders): void;
  /**
   * Lays thumbnails out as one square WebP image; a damaged one leaves its place empty.
   * @throws AppError `not_found` when not one of them can be read.
   */
  composeCover(thumbnails: Thumbnail[], signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Applies models to images on one process, in the given order: one read and one decode of an image feeds them all. Never rejects for an
   * item, as {@link describeImages}; a model that fails on one image is that image's `failed` output.
   * @param boxModels Applied to the objects that are found, from the same decode; without them objects are boxes and words.
   * @throws AppError `unavailable` when a model cannot be loaded, with its name.
   */
  applyModels(
    items: ImageRequest[],
    models: ModelSpec[],
    signal?: AbortSignal,
    boxModels?: ModelSpec[],
  ): Promise<AppliedImage[]>;
  /** The same for boxes on images, each with its thumbnail; a box that models fail on has `failed` outputs. */
  applyToCrops(items: CropsRequest[], models: ModelSpec[], signal?: AbortSignal): Promise<AppliedCrops[]>;
  /**
   * Vectors of texts, L2-normalised, by an encoder's text side or a sentence encoder.
   * @throws AppError `invalid_request` for an encoder that knows only images, `unavailable` when it cannot be loaded.
   */
  encodeTexts(texts: readonly string[], model: ModelSpec, signal?: AbortSignal): Promise<Float32Array[]>;
  /**
   * Loads a model and runs it once. @throws AppError `unavailable` with its name and what is wrong with it.
   */
  tryModel(model: ModelSpec, signal?: AbortSignal): Promise<void>;
  /** Loads models anew from now on: files of theirs have changed. */
  forgetModels(): void;
  /** What models can run on here, the one that is used first; found once a start of the app. */
  checkDevices(): Promise<DeviceCheck[]>;
  /** How fast models ran lately: images a second of one process, and on which execution provider. */
  modelSpeeds(): ReadonlyMap<string, { items_per_s: number; provider: string }>;
  /** Runs an index job on one process with all cores; a process that dies is restarted once for it, then the job fails. */
  buildIndex(
    request: IndexRequest,
    options: { signal?: AbortSignal; onProgress?: (fraction: number) => void },
  ): Promise<IndexSummary>;
  /** Process ids of the live children (for diagnosis and crash tests) and how many died so far. */
  status(): { pids: number[]; deaths: number };
  close(): Promise<void>;
}

/** A message channel to a child process, whatever starts it: `child_process.fork` under Node, `utilityProcess` under Electron. */
export interface ChildHandle {
  readonly pid: number | undefined;
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (reason: string) => void): void;
  kill(): void;
}

export type SpawnChild = (entryFile: string, name: string) => ChildHandle;
