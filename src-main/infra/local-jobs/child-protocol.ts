import type { ErrorCode } from '../../contract/errors.ts';
import type { Message } from '../../contract/messages.ts';
import type { CandidateJob } from '../../core/ports/duplicates.ts';
import type { IndexRequest } from '../../core/ports/index-jobs.ts';
import type { CropsRequest, ImageRequest, Thumbnail } from '../../core/ports/local-jobs.ts';
import type { LocalModel } from '../inference/local-models.ts';
import type { SessionSettings } from '../inference/session-settings.ts';

/** Messages to a compute process, which runs one job at a time. */
export type ToChild =
  | { type: 'run'; job_id: number; kind: string; payload: unknown }
  /** Stop between items; the job is then answered as done. */
  | { type: 'stop'; job_id: number }
  /** [Note: Who gives way] */
  | { type: 'pace'; is_slow: boolean }
  /** The requested memory of the shared budget is granted. */
  | { type: 'memory_lent'; loan: number }
  | { type: 'shutdown' };

/** Messages from a compute process. Any message counts as a heartbeat. */
export type FromChild =
  | { type: 'ready' }
  /** Requests memory of the shared budget, and returns it. */
  | { type: 'memory_requested'; loan: number; bytes: number }
  | { type: 'memory_returned'; loan: number }
  /** Heartbeat of a job, which does not mean progress. */
  | { type: 'alive'; job_id: number }
  /** `index` counts within the job's payload; a job without items sends 0 when its models are loaded. */
  | { type: 'item_started'; job_id: number; index: number }
  /** Models run on the images that were read, until the next result. */
  | { type: 'applying'; job_id: number }
  | { type: 'item_result'; job_id: number; index: number; result: unknown }
  | { type: 'progress'; job_id: number; fraction: number }
  | { type: 'job_done'; job_id: number; result: unknown; rss_bytes: number }
  /** The job as a whole failed. `stack` is for the log only. */
  | { type: 'job_failed'; job_id: number; code: ErrorCode; reason: Message; stack: string; rss_bytes: number };

/** Payload of a `describe_images` job; every item ends in one `item_result` that holds an ImageResult. Returns ModelUsage[]. */
export interface DescribePayload {
  items: ImageRequest[];
  looks: LocalModel;
  meaning?: LocalModel | undefined;
  session: SessionSettings;
}

/** An image to apply models to: a local file, or its bytes. */
export type ImageSource = { key: number; swap_rgb?: boolean } & ({ path: string } | { bytes: Uint8Array });

/** Payload of an `apply_models` job; every item ends in one `item_result` that holds an AppliedImage. Returns ModelUsage[]. */
export interface ApplyPayload {
  items: ImageSource[];
  models: LocalModel[];
  /** Models for the detected objects; without them, objects get no thumbnails and vectors. */
  box_models?: LocalModel[] | undefined;
  session: SessionSettings;
}

/** Payload of an `apply_to_crops` job; every item ends in one `item_result` that holds AppliedCrops. Returns ModelUsage[]. */
export interface CropsPayload {
  items: CropsRequest[];
  models: LocalModel[];
  session: SessionSettings;
}

/** Use of a model in one job. */
export interface ModelUsage {
  model_id: string;
  /** The execution provider that it ran on last. */
  provider: string;
  items: number;
  /** Time inside sessions, in ms. */
  ms: number;
}

/** Payload of an `encode_texts` job; it returns Float32Array[]. */
export interface TextsPayload {
  texts: readonly string[];
  model: LocalModel;
  session: SessionSettings;
}

/** Payload of a `tag_vectors` job, with a model of the kind `zero_shot`; it returns FoundLabel[][]. */
export interface VectorsPayload {
  vectors: Float32Array;
  model: LocalModel;
  session: SessionSettings;
}

/** Payload of a `try_model` job. */
export interface TryPayload {
  model: LocalModel;
  session: SessionSettings;
}

/** Payload of a `check_device` job; it returns a DeviceRun. A `list_devices` job has none and returns string[]. */
export interface DevicePayload {
  provider: string;
  threads: number;
}

export type DeviceRun =
  /** `speed`: factor by which a small graph ran faster than on the CPU. */
  { works: true; speed: number } | { works: false; problem: Message };

/** Payload of a `build_index` job; it returns an IndexSummary. */
export interface IndexPayload {
  request: IndexRequest;
  threads: number;
}

/** Payload of a `draw_covers` job; it returns the bytes of the image. */
export interface CoversPayload {
  covers: readonly (readonly (Thumbnail | undefined)[])[];
  px: number;
}

/** Payload of a `find_candidates` job. A `compare_images` job has a ComparisonBatch and returns number[], a `project` job a ProjectionJob. */
export interface CandidatesPayload {
  job: CandidateJob;
  looks: LocalModel;
  session: SessionSettings;
  threads: number;
}
