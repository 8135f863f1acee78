import type { Inference } from '../../core/ports/inference.ts';
import type { LocalJobs } from '../../core/ports/local-jobs.ts';
import { createLocalInference, type ImageFetching } from '../inference/local-inference.ts';
import type { LocalModels } from '../inference/local-models.ts';
import { type ComputeOptions, type ComputeProcesses, createComputeProcesses } from './compute-processes.ts';
import { createLocalJobs } from './local-jobs.ts';

/** Both ports on one set of processes. */
export interface Compute extends Pick<ComputeProcesses, 'status' | 'close'> {
  inference: Inference;
  localJobs: LocalJobs;
}

export function createCompute(options: ComputeOptions, models: LocalModels, fetching: ImageFetching): Compute {
  const processes = createComputeProcesses(options);
  return {
    inference: createLocalInference(processes, models, fetching),
    localJobs: createLocalJobs(processes, models),
    status: () => processes.status(),
    close: () => processes.close(),
  };
}

/** The number of compute processes, if the environment sets it. */
export function computeSizeOf({ VITRINE_COMPUTE_PROCESSES: size }: NodeJS.ProcessEnv): { size?: number } {
  return size ? { size: Number(size) } : {};
}
