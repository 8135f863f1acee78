/**
 * What the core asks of the compute processes: work that burns CPU and may crash without taking the core along.
 * Everything that crosses is plain data (structured clone), spelled as it is stored.
 */

/** How one image encoder is run; the model file's graph does its own preprocessing of `input_px` square RGB bytes. */
export interface EncoderSpec {
  encoder_id: string;
  model_file: string;
  dim: number;
  input_px: number;
}

export interface ImageRequest {
  /** The caller's key of the item, given back with its result. */
  key: number;
  /** Absolute path of the file to read. */
  path: string;
  /** Red and blue change places in TIFF and HEIC files, for cameras that wrote them the wrong way round. */
  swap_rgb?: boolean;
}

/** Statistics of one picture, measured on its sRGB working copy; see infra/images for definitions and sources. */
export type QualityStatistics = Record<string, number>;

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
  quality: QualityStatistics;
  exif: Exif | null;
  /** L2-normalised, `dim` long. */
  vector: Float32Array;
}

export interface FailedImage {
  key: number;
  ok: false;
  kind: 'corrupt' | 'unsupported' | 'too_large' | 'unreadable' | 'empty' | 'crashed';
  /** Plain English, without a local path. */
  reason: string;
}

export type ImageResult = DescribedImage | FailedImage;

/** In whole pixels of an upright picture. */
export interface PixelBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface CropRequest {
  /** The caller's key of the box, given back with its result. */
  key: number;
  box: PixelBox;
}

/** A picture whose boxes are described, all from one decode. */
export interface CropsRequest extends ImageRequest {
  /** The upright picture's size when the boxes were made; a file of another size has changed and fails. */
  width: number;
  height: number;
  crops: CropRequest[];
}

export interface DescribedCrops {
  key: number;
  ok: true;
  /** In the order of the request. */
  crops: { key: number; thumbnail: Uint8Array; vector: Float32Array }[];
}

export type CropsResult = DescribedCrops | FailedImage;

/** Builds, extends or re-clusters the neighbour graph of one entity type; everything goes by file (see infra/vectors). */
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
  dead_rows?: number[];
  cuts: number[];
}

export interface IndexSummary {
  /** Clusters at each of the five thresholds, finest first. */
  n_clusters: number[];
  recall_estimate: number;
}

export interface ComputePool {
  /** Processes that may run item jobs at once. */
  readonly size: number;
  /**
   * Describes images on one process, in the given order. Never rejects for an item: a corrupt, hostile or process-killing file is a
   * {@link FailedImage}. Rejects when `signal` aborts (AbortError) or the pool is closed.
   */
  describeImages(items: ImageRequest[], encoder: EncoderSpec, signal?: AbortSignal): Promise<ImageResult[]>;
  /** The same for boxes on pictures. */
  describeCrops(items: CropsRequest[], encoder: EncoderSpec, signal?: AbortSignal): Promise<CropsResult[]>;
  /** Runs an index job on one process with all cores; a process that dies is restarted once for it, then the job fails. */
  buildIndex(
    request: IndexRequest,
    options: { signal?: AbortSignal; on_progress?: (fraction: number) => void },
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

export type SpawnChild = (entry_file: string, name: string) => ChildHandle;
