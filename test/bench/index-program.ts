import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runIndexJob } from '../../src-main/infra/vectors/index-job.ts';
import { indexRequest } from '../support/index-request.ts';

/** Cost of an index. */
export interface IndexFigures {
  /** Seconds for the neighbour graph and the lists. */
  engine_s: number;
  /** Seconds for clusters and uniqueness scores. */
  clusters_s: number;
  /** Processor seconds. */
  cpu_s: number;
  /** Highest resident memory of the process. */
  peak_bytes: number;
  index_bytes: number;
  recall: number;
}

const THREADS = 2;
/** Progress of an index job when its engine is ready. */
const ENGINE_READY = 0.7;
const LINKAGE_THRESHOLDS = [0.92, 0.75, 0.6, 0.45, 0.32];

const [folder = '', count, dim] = process.argv.slice(2);
const began = performance.now();
let ready = 0;
const request = indexRequest(folder, {
  count: Number(count),
  dim: Number(dim),
  linkage_thresholds: LINKAGE_THRESHOLDS,
});
const { recall_estimate } = await runIndexJob(request, {
  threads: THREADS,
  onProgress: (fraction) => {
    if (fraction >= ENGINE_READY) ready ||= performance.now();
  },
});
const ended = performance.now();
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const index = join(folder, 'index');
const figures: IndexFigures = {
  engine_s: (ready - began) / 1000,
  clusters_s: (ended - ready) / 1000,
  cpu_s: (userCPUTime + systemCPUTime) / 1e6,
  peak_bytes: maxRSS * 1024,
  index_bytes: readdirSync(index).reduce((sum, name) => sum + statSync(join(index, name)).size, 0),
  recall: recall_estimate,
};
console.log(JSON.stringify(figures));
