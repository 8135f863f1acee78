import type { Inference } from '../../src-main/core/ports/inference.ts';
import type { LocalJobs } from '../../src-main/core/ports/local-jobs.ts';
import { Claims } from '../../src-main/infra/giving-way/claims.ts';
import { LocalModels } from '../../src-main/infra/inference/local-models.ts';
import type { ComputeOptions } from '../../src-main/infra/local-jobs/compute-processes.ts';
import { type Compute, createCompute } from '../../src-main/infra/local-jobs/create-compute.ts';

/** Combines both ports of one set of compute processes. */
export type TestCompute = Inference & LocalJobs & Pick<Compute, 'status' | 'close'>;

/** The models that tests apply through {@link testCompute}. */
export const localModels = new LocalModels();

/** Starts compute processes with the models of {@link localModels}. They cannot use the network. */
export function testCompute(options: Omit<ComputeOptions, 'claims'> & { claims?: Claims }): TestCompute {
  const urls = { fetchUrl: () => Promise.reject(new Error('nothing is fetched in this test')) };
  const { inference, localJobs, status, close } = createCompute({ claims: new Claims(), ...options }, localModels, {
    urls,
    temporaryFolder: '',
  });
  return { ...inference, ...localJobs, status, close };
}
