import { availableParallelism, totalmem } from 'node:os';
import { AppError } from '../../contract/errors.ts';
import type {
  ComputePool,
  ImageRequest,
  ImageResult,
  IndexRequest,
  IndexSummary,
  SpawnChild,
} from '../../core/ports/compute.ts';
import type { Encoders } from '../../core/ports/encoder.ts';
import type { FailedImage } from '../../core/ports/image.ts';
import type { Log } from '../../core/ports/log.ts';
import type { AppliedCrops, AppliedImage, ModelSpec } from '../../core/ports/model.ts';
import { DECODE_BYTES, MemoryBudget } from '../images/decode-memory.ts';
import { DESCRIPTOR_ID } from '../inference/descriptor-shape.ts';
import { createDevices } from '../inference/devices.ts';
import { planModels } from '../inference/model-plan.ts';
import { ModelSpeeds } from '../inference/model-speeds.ts';
import { PROCESSOR, type SessionSettings } from '../inference/session-settings.ts';
import { textSideOf } from '../inference/text-side.ts';
import type { CandidatesPayload, IndexPayload, ModelUsage, TextsPayload, TryPayload } from './child-protocol.ts';
import { type ItemJob, runItems } from './item-job.ts';
import { createWorkerQueue, type Slot, type WorkerQueue } from './worker-queue.ts';

export interface ComputePoolOptions {
  /** Processes for images, and cores that models may use; {@link defaultPoolSize} when left out. */
  size?: number;
  /** The compute worker: its source under Node, its bundle in a built app. */
  entryFile: string;
  spawn: SpawnChild;
  log: Log;
  /** Execution provider that models run on now, where it works; the fastest when left out or `auto`. */
  modelDevice?: () => string;
  /** Memory that processes may share; what is free at the start when left out. */
  spareBytes?: number;
  /** A process that reads images and says nothing for so long is killed. Default 60 s. */
  itemTimeoutMs?: number;
  /** The same for a process that runs models; a quarter of it for an image that is tried alone. Default 40 s. */
  modelTimeoutMs?: number;
  /** The same for such a process until its models are loaded, which takes long from a slow disk. Default 5 min. */
  modelLoadTimeoutMs?: number;
  /** The same for the process that builds an index, which is silent through long stretches of plain arithmetic. Default 15 min. */
  indexTimeoutMs?: number;
  /** How long that process may not even show that it is there. Default 45 s. */
  heartbeatTimeoutMs?: number;
  /** How long a process may take to stop before it is killed. Default 3 s. */
  stopGraceMs?: number;
  /** Idle processes are stopped after this. Default 60 s; that for texts, which answers searches, after five times this. */
  idleStopMs?: number;
  /** A process is replaced after so many jobs. Default: never. */
  maxJobsPerChild?: number;
  /** A process that holds more than this after a job is replaced: native heaps fragment and do not shrink. Default: by its models, from 700 MiB; 192 MiB after an index job. */
  maxRssBytes?: number;
}

const BYTES_PER_PROCESS = 700 * 1024 * 1024;
/** Enough for what is common; images of hundreds of megapixels wait for each other. */
const DECODE_BYTES_PER_PROCESS = 256 * 1024 * 1024;
/** A process that built the index of a large dataset is let go at once: the next such job starts in a fraction of the time it takes. */
const INDEX_RSS_BYTES = 192 * 1024 * 1024;
/** Up to so many rows, an index is built in less time than a process takes to start. */
const SMALL_INDEX_ROWS = 4000;
/** From so many rows on, an index that is built from the beginning gets the memory of idle processes for images. */
const LARGE_INDEX_ROWS = 10_000;
const MAX_DEATHS = 2;
/** Each process holds the weights once more in a device's own memory, whose size nobody tells. */
const MAX_DEVICE_PROCESSES = 4;
/** Whole jobs that hang by the fault of a model. */
const MODEL_JOBS: readonly string[] = ['encode_texts', 'try_model'];
/** Smaller graphs are done before their input has reached a device. */
const SMALLEST_DEVICE_BYTES = 1_500_000;

/**
 * A pool of compute processes, each started when first needed. Jobs on images run one a process in the order they came; models that are
 * applied, texts, and an index job have processes of their own, so that none waits for another.
 */
export function createComputePool(options: ComputePoolOptions): ComputePool {
  const { log } = options;
  const size = options.size ?? defaultPoolSize();
  const machine = { cores: size, spareBytes: options.spareBytes ?? spareBytes() };
  const budget = new MemoryBudget(decodeBytes(machine));
  const common = {
    borrow: (bytes: number) => budget.borrow(bytes),
    entryFile: options.entryFile,
    spawn: options.spawn,
    log,
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
  const images = createWorkerQueue({ ...common, name: 'images', size, silenceMs: options.itemTimeoutMs ?? 60_000 });
  const models = createWorkerQueue({ ...ofModels, name: 'models', size });
  const texts = createWorkerQueue({
    ...ofModels,
    name: 'texts',
    size: 1,
    idleStopMs: common.idleStopMs * 5,
  });
  const index = createWorkerQueue({
    ...common,
    name: 'index',
    size: 1,
    silenceMs: options.indexTimeoutMs ?? 900_000,
    heartbeatMs: options.heartbeatTimeoutMs ?? 45_000,
    maxRssBytes: options.maxRssBytes ?? INDEX_RSS_BYTES,
  });
  // Nobody waits for it, and it must not hold up what somebody waits for.
  const background = createWorkerQueue({
    ...common,
    name: 'background',
    size,
    silenceMs: 900_000,
    heartbeatMs: 45_000,
  });
  // A driver that hangs is given up sooner, and one that corrupted its process does so only once.
  const deviceCheck = createWorkerQueue({
    ...common,
    name: 'devices',
    size: 1,
    silenceMs: 60_000,
    maxJobsPerChild: 1,
  });
  const covers = createWorkerQueue({ ...common, name: 'covers', size: 1, silenceMs: 20_000 });
  const queues = [images, models, texts, index, covers, background];
  const devices = createDevices(deviceCheck, options.modelDevice ?? (() => 'auto'), log);
  const speeds = new ModelSpeeds(log);

  /** How some models are run here, and what their queue must know of it. */
  const settle = async (specs: readonly ModelSpec[]) => {
    const plan = await planModels(specs, machine);
    const executionProviders = plan.weightsBytes < SMALLEST_DEVICE_BYTES ? [PROCESSOR] : await devices.providers();
    const isProcessor = executionProviders[0] === PROCESSOR;
    return {
      session: { executionProviders, threads: plan.threads } satisfies SessionSettings,
      demand: {
        atOnce: isProcessor ? plan.processes : Math.min(plan.processes, MAX_DEVICE_PROCESSES),
        maxRssBytes: options.maxRssBytes ?? plan.maxRssBytes,
      },
    };
  };

  /** Calls reach a queue in the order in which they came, however long what they need took to find out. */
  const turns = new Map<WorkerQueue, Promise<unknown>>();
  const inTurn = <T>(queue: WorkerQueue, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(queue) ?? Promise.resolve()).then(work, work);
    turns.set(
      queue,
      turn.catch(() => undefined),
    );
    return turn;
  };

  const runOn = async <Result>(
    queue: WorkerQueue,
    kind: ItemJob['kind'],
    items: readonly ImageRequest[],
    specs: readonly ModelSpec[],
    parts: object,
    signal: AbortSignal | undefined,
  ): Promise<(Result | FailedImage)[]> => {
    const { session, demand } = await inTurn(queue, () => settle(specs));
    const job: ItemJob = {
      kind,
      parts: (deaths) => ({ ...parts, session: saferAfter(deaths, session) }),
      onDone: (result) => speeds.add(result as ModelUsage[], session.executionProviders[0] ?? PROCESSOR),
    };
    return queue.submit((slot) => runItems<Result>(slot, items, job), signal, demand);
  };
  const describing = (encoders: Encoders) => {
    const looks = encoders.looks.model;
    const meaning = encoders.meaning?.model;
    return { queue: meaning ? models : images, specs: meaning ? [looks, meaning] : [looks], parts: { looks, meaning } };
  };
  return {
    size,
    describeImages: (items, encoders, signal) => {
      const { queue, specs, parts } = describing(encoders);
      return runOn<ImageResult>(queue, 'describe_images', items, specs, parts, signal);
    },
    warm: (encoders) => {
      const { queue, specs, parts } = describing(encoders);
      const warmOne = async () => {
        const { session, demand } = await inTurn(queue, () => settle(specs));
        const payload = { items: [], ...parts, session };
        await queue.submit((slot) => slot.run('describe_images', payload, {}), undefined, demand);
      };
      // The first images meet the same failure and tell it.
      for (let nth = 0; nth < size; nth += 1) void warmOne().catch(() => undefined);
    },
    composeCover: async (thumbnails, signal) => {
      const wanted = thumbnails.map(({ path, offset, length, crc32 }) => ({ path, offset, length, crc32 }));
      const work = (slot: Slot) =>
        runWhole<Uint8Array<ArrayBuffer>>(slot, 'compose_cover', () => wanted, 'composes covers');
      return covers.submit(work, signal);
    },
    applyModels: (items, specs, signal, boxModels) => {
      const parts = { models: specs, box_models: boxModels };
      const all = new Map([...specs, ...(boxModels ?? [])].map((spec) => [spec.model_id, spec]));
      return runOn<AppliedImage>(models, 'apply_models', items, [...all.values()], parts, signal);
    },
    applyToCrops: (items, specs, signal) => {
      // Boxes that only the built-in descriptor looks at go where it has just looked at their images: that process is there, and warm.
      const queue = specs.every(({ model_id }) => model_id === DESCRIPTOR_ID) ? images : models;
      return runOn<AppliedCrops>(queue, 'apply_to_crops', items, specs, { models: specs }, signal);
    },
    encodeTexts: async (wanted, model, signal) => {
      if (textSideOf(model.runner) === undefined) {
        throw new AppError('invalid_request', `The model "${model.model_id}" knows only images, no words.`);
      }
      const { session, demand } = await settle([model]);
      const payload = (deaths: number): TextsPayload => ({
        texts: wanted,
        model,
        session: saferAfter(deaths, session),
      });
      const work = (slot: Slot) => runWhole<Float32Array[]>(slot, 'encode_texts', payload, 'encodes texts');
      return texts.submit(work, signal, { maxRssBytes: demand.maxRssBytes });
    },
    tryModel: async (model, signal) => {
      const { session, demand } = await settle([model]);
      const payload = (deaths: number): TryPayload => ({ model, session: saferAfter(deaths, session) });
      await models.submit((slot) => runWhole(slot, 'try_model', payload, 'tries the model'), signal, demand);
    },
    forgetModels: () => {
      for (const queue of [models, texts]) queue.renew();
    },
    checkDevices: () => devices.check(),
    modelSpeeds: () => speeds.list(),
    buildIndex: (request, { signal, onProgress }) => {
      // The images of a new dataset have just been read; where a watched folder feeds one, the next are soon to come.
      if (request.mode !== 'extend' && request.count >= LARGE_INDEX_ROWS) images.renew();
      // One that has just read images is there.
      const there = request.count <= SMALL_INDEX_ROWS ? [images, models].find((queue) => queue.isIdle()) : undefined;
      return (there ?? index).submit((slot) => buildOnSlot(slot, request, onProgress), signal);
    },
    findCandidates: async (request, looks, { signal, onProgress }) => {
      const { session } = await settle([looks]);
      const payload = (deaths: number): CandidatesPayload => ({
        request,
        looks,
        session: saferAfter(deaths, session),
        threads: availableParallelism(),
      });
      const work = (slot: Slot) => runWhole<void>(slot, 'find_candidates', payload, 'looks for duplicates', onProgress);
      await background.submit(work, signal, { maxRssBytes: options.maxRssBytes ?? INDEX_RSS_BYTES });
    },
    compareImages: (batch, signal) =>
      background.submit((slot) => runWhole<number[]>(slot, 'compare_images', () => batch, 'compares images'), signal),
    project: async (request, { signal, onProgress }) => {
      const work = (slot: Slot) => runWhole<void>(slot, 'project', () => request, 'lays the map out', onProgress);
      await background.submit(work, signal, { maxRssBytes: options.maxRssBytes ?? INDEX_RSS_BYTES });
    },
    status: () => ({
      pids: queues.flatMap((queue) => queue.status().pids),
      deaths: queues.reduce((sum, queue) => sum + queue.status().deaths, 0),
    }),
    close: async () => {
      await Promise.all([...queues, deviceCheck].map((queue) => queue.close()));
    },
  };
}

/** One process a core, as far as memory allows, and at least one. */
export function defaultPoolSize(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(spareBytes() / BYTES_PER_PROCESS)));
}

function spareBytes(): number {
  // macOS counts what it would give back on demand as used, so "available" says little there.
  return process.platform === 'darwin' ? totalmem() / 2 : process.availableMemory();
}

/** What all processes together may hold of decoded images: room for the largest at least. */
function decodeBytes({ cores, spareBytes }: { cores: number; spareBytes: number }): number {
  return Math.max(DECODE_BYTES, Math.min(cores * DECODE_BYTES_PER_PROCESS, spareBytes / 4));
}

/** A device whose driver may have taken a process along is left alone the next time. */
function saferAfter(deaths: number, session: SessionSettings): SessionSettings {
  return deaths === 0 ? session : { ...session, executionProviders: [PROCESSOR] };
}

function buildOnSlot(
  slot: Slot,
  request: IndexRequest,
  onProgress: ((fraction: number) => void) | undefined,
): Promise<IndexSummary> {
  const payload: IndexPayload = { request, threads: availableParallelism() };
  return runWhole(slot, 'build_index', () => payload, 'builds the index', onProgress);
}

/** Runs a job that has no items; a process that dies is restarted once for it, and one that a model hung is not. */
async function runWhole<Result>(
  slot: Slot,
  kind: string,
  payload: (deaths: number) => object,
  doing: string,
  onProgress?: (fraction: number) => void,
): Promise<Result> {
  for (let deaths = 0; deaths < MAX_DEATHS; deaths += 1) {
    const outcome = await slot.run(kind, payload(deaths), { onProgress: (fraction) => onProgress?.(fraction) });
    if (outcome.type === 'done') return outcome.result as Result;
    if (outcome.type === 'failed') throw new AppError(outcome.code, outcome.reason);
    if (outcome.hung && MODEL_JOBS.includes(kind)) {
      throw new AppError('unavailable', 'The model does not come to an end; the process that ran it was stopped');
    }
  }
  throw new AppError('internal', `The process that ${doing} stopped twice.`);
}
