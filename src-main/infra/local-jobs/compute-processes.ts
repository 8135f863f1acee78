import { availableParallelism, totalmem } from 'node:os';
import type { SpawnChild } from '../../core/ports/child-process.ts';
import type { FailedImage } from '../../core/ports/image.ts';
import type { Log } from '../../core/ports/log.ts';
import type { Claims } from '../giving-way/claims.ts';
import { DECODE_BYTES, MemoryBudget } from '../images/decode-memory.ts';
import { createDevices, type Devices } from '../inference/devices.ts';
import type { LocalModel } from '../inference/local-models.ts';
import { planModels } from '../inference/model-plan.ts';
import { ModelSpeeds } from '../inference/model-speeds.ts';
import { PROCESSOR, type SessionSettings } from '../inference/session-settings.ts';
import type { ModelUsage } from './child-protocol.ts';
import { type ItemJob, runItems, saferAfter } from './item-job.ts';
import { usableProcessors } from './process-affinity.ts';
import { createWorkerQueue, type Demand, type WorkerQueue } from './worker-queue.ts';

export interface ComputeOptions {
  /** Processes for images, and cores that models may use; {@link defaultPoolSize} when left out. */
  size?: number;
  /** The compute worker: its source under Node, its bundle in a built app. */
  entryFile: string;
  spawn: SpawnChild;
  log: Log;
  /** Indexing claims the processors, so that background jobs give way. */
  claims: Claims;
  /** Preferred execution provider for models, used if it works; the fastest if left out or `auto`. */
  modelDevice?: () => string;
  /** Memory that processes may share; the memory that is free at the start when left out. */
  spareBytes?: number;
  /** A process that reads images and is silent for longer is killed. Default 60 s. */
  itemTimeoutMs?: number;
  /** The same limit for a process that runs models; a quarter of it for an image that is tried alone. Default 40 s. */
  modelTimeoutMs?: number;
  /** The same limit for such a process until its models are loaded, which takes long from a slow disk. Default 5 min. */
  modelLoadTimeoutMs?: number;
  /** The same limit for the process that builds an index, which is silent during long stretches of plain arithmetic. Default 15 min. */
  indexTimeoutMs?: number;
  /** Maximum time without a heartbeat of that process. Default 45 s. */
  heartbeatTimeoutMs?: number;
  /** Maximum time for a process to stop before it is killed. Default 3 s. */
  stopGraceMs?: number;
  /** Idle processes are stopped after this. Default 60 s; five times this for those that somebody waits for. */
  idleStopMs?: number;
  /** A process is replaced after this many jobs. Default: never. */
  maxJobsPerChild?: number;
  /**
   * Memory in bytes above which a process is replaced after a job: native heaps fragment and do not shrink. Default: by its models, from
   * 700 MiB; 192 MiB after an index job.
   */
  maxRssBytes?: number;
}

const BYTES_PER_PROCESS = 700 * 1024 * 1024;
/** Enough bytes for common images; images of hundreds of megapixels wait for each other. */
const DECODE_BYTES_PER_PROCESS = 256 * 1024 * 1024;
/**
 * Memory in bytes above which a process is stopped after an index job: starting a process takes a fraction of the time of the next such
 * job.
 */
const INDEX_RSS_BYTES = 192 * 1024 * 1024;
/** Maximum number of processes on a device. Each has a copy of the weights in the device's own memory, whose size is unknown. */
const MAX_DEVICE_PROCESSES = 4;
/** Minimum size of graphs in bytes to use a device; smaller graphs finish on the CPU before their input has reached a device. */
const MIN_DEVICE_BYTES = 1_500_000;

/** How some models are run here, with the values that a queue needs. */
interface RunPlan {
  session: SessionSettings;
  demand: Demand;
}

/** Jobs on images that models are applied to. */
export interface ImageJob {
  queue: WorkerQueue;
  kind: ItemJob['kind'];
  /** All models that the job runs. */
  models: readonly LocalModel[];
  /** The payload in addition to the items and the session's settings. */
  parts: object;
}

/**
 * The processes that inference and local jobs share, each started when first needed. Jobs on images run one per process in the order they
 * came; models, texts and index jobs have processes of their own, so that no kind waits for another.
 */
export interface ComputeProcesses {
  readonly size: number;
  readonly queues: Record<'images' | 'models' | 'texts' | 'index' | 'covers' | 'background', WorkerQueue>;
  readonly devices: Devices;
  readonly speeds: ModelSpeeds;
  /** Memory above which a process is replaced after a job on an index. */
  readonly indexRssBytes: number;
  planFor(models: readonly LocalModel[]): Promise<RunPlan>;
  /** Runs a job on images; see {@link runItems}. Calls reach a queue in the order in which they came. */
  runOnImages<Result>(
    job: ImageJob,
    items: readonly { key: number }[],
    signal: AbortSignal | undefined,
  ): Promise<(Result | FailedImage)[]>;
  /** Starts the queue's processes and loads the models of the job. */
  warm(job: ImageJob): void;
  /** Makes background jobs give way to the work: [Note: Who gives way]. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Process ids of the running children (for diagnosis and crash tests) and the number of children that died. */
  status(): { pids: number[]; deaths: number };
  close(): Promise<void>;
}

export function createComputeProcesses(options: ComputeOptions): ComputeProcesses {
  const { claims, log } = options;
  const size = options.size ?? defaultPoolSize();
  const machine = { cores: size, spareBytes: options.spareBytes ?? spareBytes() };
  const indexRssBytes = options.maxRssBytes ?? INDEX_RSS_BYTES;
  const { deviceCheck, ...queues } = createQueues(options, size, machine.spareBytes, indexRssBytes);
  const devices = createDevices(deviceCheck, options.modelDevice ?? (() => 'auto'), log);
  const speeds = new ModelSpeeds(log);
  claims.onChange((isClaimed) => queues.background.pace(isClaimed));

  const planFor = async (models: readonly LocalModel[]): Promise<RunPlan> => {
    const plan = await planModels(models, machine);
    const executionProviders = plan.weightsBytes < MIN_DEVICE_BYTES ? [PROCESSOR] : await devices.providers();
    const isProcessor = executionProviders[0] === PROCESSOR;
    return {
      session: { executionProviders, threads: plan.threads },
      demand: {
        atOnce: isProcessor ? plan.processes : Math.min(plan.processes, MAX_DEVICE_PROCESSES),
        maxRssBytes: options.maxRssBytes ?? plan.maxRssBytes,
      },
    };
  };

  /** Planning takes a different time for each call; calls keep their order all the same. */
  const turns = new Map<WorkerQueue, Promise<unknown>>();
  const planInTurn = ({ queue, models }: ImageJob): Promise<RunPlan> => {
    const plan = () => planFor(models);
    const turn = (turns.get(queue) ?? Promise.resolve()).then(plan, plan);
    turns.set(
      queue,
      turn.catch(() => undefined),
    );
    return turn;
  };

  return {
    size,
    queues,
    devices,
    speeds,
    indexRssBytes,
    planFor,
    runOnImages: async <Result>(
      imageJob: ImageJob,
      items: readonly { key: number }[],
      signal: AbortSignal | undefined,
    ) => {
      const { queue, kind, parts } = imageJob;
      const { session, demand } = await planInTurn(imageJob);
      const job: ItemJob = {
        kind,
        parts: (deaths) => ({ ...parts, session: saferAfter(deaths, session) }),
        onDone: (result) => speeds.add(result as ModelUsage[], session.executionProviders[0] ?? PROCESSOR),
      };
      return claims.during(queue.submit((slot) => runItems<Result>(slot, items, job), signal, demand));
    },
    warm: (imageJob) => {
      const { queue, kind, parts } = imageJob;
      const warmOne = async () => {
        const { session, demand } = await planInTurn(imageJob);
        await queue.submit((slot) => slot.run(kind, { items: [], ...parts, session }, {}), undefined, demand);
      };
      // The first images cause the same failure and report it.
      for (let nth = 0; nth < size; nth += 1) void warmOne().catch(() => undefined);
    },
    during: (work) => claims.during(work),
    status: () => {
      const all = Object.values(queues).map((queue) => queue.status());
      return { pids: all.flatMap(({ pids }) => pids), deaths: all.reduce((sum, { deaths }) => sum + deaths, 0) };
    },
    close: async () => {
      await Promise.all([...Object.values(queues), deviceCheck].map((queue) => queue.close()));
    },
  };
}

function createQueues(options: ComputeOptions, size: number, spareBytes: number, indexRssBytes: number) {
  const budget = new MemoryBudget(decodeBytes(size, spareBytes));
  const common = {
    borrow: (bytes: number) => budget.borrow(bytes),
    entryFile: options.entryFile,
    spawn: options.spawn,
    log: options.log,
    stopGraceMs: options.stopGraceMs ?? 3000,
    idleStopMs: options.idleStopMs ?? 60_000,
    maxJobsPerChild: options.maxJobsPerChild ?? Number.POSITIVE_INFINITY,
    maxRssBytes: options.maxRssBytes ?? BYTES_PER_PROCESS,
  };
  const ofModels = {
    ...common,
    silenceMs: options.modelTimeoutMs ?? 40_000,
    loadSilenceMs: options.modelLoadTimeoutMs ?? 300_000,
  };
  const ofIndex = {
    ...common,
    silenceMs: options.indexTimeoutMs ?? 900_000,
    heartbeatMs: options.heartbeatTimeoutMs ?? 45_000,
  };
  return {
    images: createWorkerQueue({
      ...common,
      name: 'images',
      priority: 'work',
      size,
      processors: processorsFor(size),
      silenceMs: options.itemTimeoutMs ?? 60_000,
    }),
    models: createWorkerQueue({ ...ofModels, name: 'models', priority: 'work', size }),
    texts: createWorkerQueue({
      ...ofModels,
      name: 'texts',
      priority: 'awaited',
      size: 1,
      idleStopMs: common.idleStopMs * 5,
    }),
    index: createWorkerQueue({ ...ofIndex, name: 'index', priority: 'work', size: 1, maxRssBytes: indexRssBytes }),
    covers: createWorkerQueue({
      ...common,
      name: 'covers',
      priority: 'awaited',
      size: 1,
      silenceMs: 20_000,
      idleStopMs: common.idleStopMs * 5,
    }),
    background: createWorkerQueue({
      ...common,
      name: 'background',
      priority: 'background',
      size,
      silenceMs: 900_000,
      heartbeatMs: 45_000,
    }),
    // A driver that hangs times out sooner, and a driver that corrupts its process does so only once.
    deviceCheck: createWorkerQueue({
      ...common,
      name: 'devices',
      priority: 'work',
      size: 1,
      silenceMs: 60_000,
      maxJobsPerChild: 1,
    }),
  };
}

/**
 * [Note: One processor each] Images pass through several threads of a process. If these wake each other on different processors, a virtual
 * machine takes an eighth of the time for that. Processes that are fewer than the processors, or more, are left to the system, which can
 * balance them with those of other programs.
 */
function processorsFor(size: number): readonly number[] | undefined {
  const usable = usableProcessors();
  return size > 1 && usable.length === size ? usable : undefined;
}

/** One process per core, as far as memory allows, and at least one. */
export function defaultPoolSize(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(spareBytes() / BYTES_PER_PROCESS)));
}

function spareBytes(): number {
  // macOS counts memory that it would free on demand as used, so "available" means little there.
  return process.platform === 'darwin' ? totalmem() / 2 : process.availableMemory();
}

/** Maximum memory of all processes together for decoded images: enough for the largest image at least. */
function decodeBytes(cores: number, spareBytes: number): number {
  return Math.max(DECODE_BYTES, Math.min(cores * DECODE_BYTES_PER_PROCESS, spareBytes / 4));
}
