import type { ResultLocation } from './results.ts';

/** Work of a Ray job. All addresses are reached by the nodes of the cluster. */
export interface RayWork {
  /** Address of manifest.parquet. */
  manifest: string;
  /** Address of the folder with the files of the model's package. */
  model: string;
  model_id: string;
  /** Address of the folder for the results. */
  results: string;
  use_gpu: boolean;
}

export interface RayJob {
  state: 'waiting' | 'running' | 'succeeded' | 'failed' | 'stopped';
  /** Items that are done and all items, as far as the program has reported them. */
  progress: { n_done: number; n_total: number } | undefined;
  /** Last line that a failed job printed. */
  reason: string;
}

/** Jobs on a Ray cluster, by Ray's job API at RAY_ADDRESS. All methods throw AppError `unavailable` while the cluster does not answer. */
export interface RayJobs {
  /** Checks that the cluster answers. */
  assertReachable(signal: AbortSignal): Promise<void>;
  /** Submits the program that comes with the product. Does nothing if the cluster has a job with this id. */
  submit(jobId: string, work: RayWork, signal: AbortSignal): Promise<void>;
  /** Returns undefined if the cluster does not know the job. */
  find(jobId: string, signal: AbortSignal): Promise<RayJob | undefined>;
  /** Stops a job. Does nothing if the job has ended or is unknown. */
  stop(jobId: string): Promise<void>;
}

/** A folder or an S3 prefix by which this machine and a cluster exchange files. */
export interface ExchangeFolders {
  /**
   * Opens a location.
   * @throws AppError `invalid_request`, `forbidden`.
   */
  open(at: ResultLocation): Promise<ExchangeFolder>;
}

export interface ExchangeFolder {
  /** Returns the address of a file or folder, as the cluster reads it. */
  addressOf(name: string): string;
  /**
   * Copies a file to the location and replaces one of this name.
   * @param name Relative path, `/` between folders.
   * @throws AppError `storage_failed`, `disk_full`; AbortError.
   */
  store(name: string, path: string, signal: AbortSignal): Promise<void>;
}
