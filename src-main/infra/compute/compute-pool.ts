import { availableParallelism, totalmem } from 'node:os';
import { AppError } from '../../contract/errors.ts';
import type {
  ComputePool,
  CropsResult,
  ImageResult,
  IndexRequest,
  IndexSummary,
  SpawnChild,
} from '../../core/compute.port.ts';
import type { Log } from '../../core/log.port.ts';
import type { IndexPayload } from './child-protocol.ts';
import { describeOnSlot } from './describe-job.ts';
import { createProcessLane, type Slot } from './process-lane.ts';

export interface ComputePoolOptions {
  /** Processes for images; {@link defaultPoolSize} when left out. */
  size?: number;
  /** The compute worker: its source under Node, its bundle in a built app. */
  entry_file: string;
  spawn: SpawnChild;
  log: Log;
  /** A process that reads images and says nothing for so long is killed. Default 60 s. */
  item_timeout_ms?: number;
  /** The same for the process that builds an index, which is silent through long stretches of plain arithmetic. Default 15 min. */
  index_timeout_ms?: number;
  /** How long a process may take to stop before it is killed. Default 3 s. */
  stop_grace_ms?: number;
  /** Idle processes are stopped after this. Default 60 s. */
  idle_stop_ms?: number;
  /** A process is replaced after so many jobs. Default: never. */
  max_jobs_per_child?: number;
  /** A process that holds more than this after a job is replaced: native heaps fragment and do not shrink. Default 700 MiB. */
  max_rss_bytes?: number;
}

const BYTES_PER_PROCESS = 700 * 1024 * 1024;
const MAX_INDEX_DEATHS = 2;

/**
 * A pool of compute processes, each started when first needed. Image jobs run one a process in the order they came; an index job has a
 * process of its own, so images never wait for one.
 */
export function createComputePool(options: ComputePoolOptions): ComputePool {
  const size = options.size ?? defaultPoolSize();
  const common = {
    entry_file: options.entry_file,
    spawn: options.spawn,
    log: options.log,
    stop_grace_ms: options.stop_grace_ms ?? 3000,
    idle_stop_ms: options.idle_stop_ms ?? 60_000,
    max_jobs_per_child: options.max_jobs_per_child ?? Number.POSITIVE_INFINITY,
    max_rss_bytes: options.max_rss_bytes ?? BYTES_PER_PROCESS,
  };
  const images = createProcessLane({ ...common, name: 'images', size, silence_ms: options.item_timeout_ms ?? 60_000 });
  const index = createProcessLane({
    ...common,
    name: 'index',
    size: 1,
    silence_ms: options.index_timeout_ms ?? 900_000,
  });

  return {
    size,
    describeImages: (items, encoder, signal) =>
      images.submit((slot) => describeOnSlot<ImageResult>(slot, 'describe_images', items, encoder), signal),
    describeCrops: (items, encoder, signal) =>
      images.submit((slot) => describeOnSlot<CropsResult>(slot, 'describe_crops', items, encoder), signal),
    buildIndex: (request, { signal, on_progress }) =>
      index.submit((slot) => buildOnSlot(slot, request, on_progress), signal),
    status: () => {
      const [of_images, of_index] = [images.status(), index.status()];
      return { pids: [...of_images.pids, ...of_index.pids], deaths: of_images.deaths + of_index.deaths };
    },
    close: async () => {
      await Promise.all([images.close(), index.close()]);
    },
  };
}

/** One process a core, as far as memory allows, and at least one. */
export function defaultPoolSize(): number {
  // macOS counts what it would give back on demand as used, so "available" says little there.
  const spare_bytes = process.platform === 'darwin' ? totalmem() / 2 : process.availableMemory();
  return Math.max(1, Math.min(availableParallelism(), Math.floor(spare_bytes / BYTES_PER_PROCESS)));
}

async function buildOnSlot(
  slot: Slot,
  request: IndexRequest,
  on_progress: ((fraction: number) => void) | undefined,
): Promise<IndexSummary> {
  const payload: IndexPayload = { request, threads: availableParallelism() };
  for (let deaths = 0; deaths < MAX_INDEX_DEATHS; deaths += 1) {
    const outcome = await slot.run('build_index', payload, {
      onProgress: (fraction) => on_progress?.(fraction),
    });
    if (outcome.type === 'done') return outcome.result as IndexSummary;
    if (outcome.type === 'failed') throw new AppError(outcome.code, outcome.detail);
  }
  throw new AppError('internal', 'The process that builds the index stopped twice.');
}
