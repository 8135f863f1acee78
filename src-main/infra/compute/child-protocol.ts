import type { ErrorCode } from '../../contract/errors.ts';
import type { CropsRequest, EncoderSpec, ImageRequest, IndexRequest } from '../../core/compute.port.ts';

/** What the core's process tells a compute process. A process runs one job at a time. */
export type ToChild =
  | { type: 'run'; job_id: number; kind: string; payload: unknown }
  /** Stop between items; the job is then answered as done. */
  | { type: 'stop'; job_id: number }
  | { type: 'shutdown' };

/** What a compute process tells the core's process. Any message shows that it is alive. */
export type FromChild =
  | { type: 'ready' }
  /** `index` counts within the payload of the job. */
  | { type: 'item_started'; job_id: number; index: number }
  | { type: 'item_result'; job_id: number; index: number; result: unknown }
  | { type: 'progress'; job_id: number; fraction: number }
  | { type: 'job_done'; job_id: number; result: unknown; rss_bytes: number }
  /** The job as a whole could not be done. `stack` is for the log only. */
  | { type: 'job_failed'; job_id: number; code: ErrorCode; detail: string; stack: string; rss_bytes: number };

/** Payload of a `describe_images` job; every item ends in one `item_result` that holds an ImageResult. */
export interface DescribePayload {
  items: ImageRequest[];
  encoder: EncoderSpec;
}

/** Payload of a `describe_crops` job; every item ends in one `item_result` that holds a CropsResult. */
export interface CropsPayload {
  items: CropsRequest[];
  encoder: EncoderSpec;
}

/** Payload of a `build_index` job; it returns an IndexSummary. */
export interface IndexPayload {
  request: IndexRequest;
  threads: number;
}
