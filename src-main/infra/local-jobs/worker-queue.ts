import pRetry from 'p-retry';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import {
  type ComputeProcess,
  type ComputeProcessOptions,
  type JobListeners,
  type JobOutcome,
  startComputeProcess,
} from './compute-process.ts';

/** Holds at most one process of a queue and serves one caller at a time. */
export interface Slot {
  /**
   * Runs a job on this slot's process, which is started if there is none.
   * @throws AppError `unavailable` when no process can be started; the error of the stop when the caller was stopped meanwhile.
   */
  run(kind: string, payload: unknown, listeners: JobListeners, patience?: number): Promise<JobOutcome>;
}

/** Requirements of one call that differ from the queue's options. */
export interface Demand {
  /** Maximum number of busy processes while the work runs. */
  atOnce?: number;
  /** Memory above which a process is replaced after a job of this work. */
  maxRssBytes?: number;
}

/** Processes of one purpose behind one first-in-first-out queue. */
export interface WorkerQueue {
  /** Gives `work` a slot when its turn comes. Rejects with AbortError, at once, when `signal` aborts. */
  submit<T>(work: (slot: Slot) => Promise<T>, signal?: AbortSignal, demand?: Demand): Promise<T>;
  /** Makes jobs give way, or no longer: [Note: Who gives way]. */
  pace(isSlow: boolean): void;
  /** Whether a process is running. */
  isRunning(): boolean;
  /** Whether a process is running and idle. */
  isIdle(): boolean;
  status(): { pids: number[]; deaths: number };
  /** Replaces all running processes: idle ones end at once, busy ones after their work. */
  renew(): void;
  /** Rejects waiting and running work, and resolves when all processes have ended. */
  close(): Promise<void>;
}

/** Options of a queue and of its processes, which are named after it. */
export interface WorkerQueueOptions extends Omit<ComputeProcessOptions, 'processor'> {
  size: number;
  /** By process: the processor that it stays on. Default: any. */
  processors?: readonly number[] | undefined;
  /** Maximum time for a process to stop before it is killed. */
  stopGraceMs: number;
  /** A process that is idle for this long is stopped, which frees its memory. */
  idleStopMs: number;
  maxJobsPerChild: number;
  /** Memory in bytes above which a process is replaced after a job, unless the call has its own limit. */
  maxRssBytes: number;
}

interface Entry {
  demand: Demand;
  begin(slot: Slot): Promise<void>;
  reject(error: Error): void;
  /** The error that the caller has already received. */
  stopped: Error | undefined;
}

interface SlotState {
  process: ComputeProcess | undefined;
  entry: Entry | undefined;
  idleTimer: NodeJS.Timeout | undefined;
}

const MAX_START_ATTEMPTS = 4;
const START_BACKOFF_MS = 100;

export function createWorkerQueue(options: WorkerQueueOptions): WorkerQueue {
  const { log, stopGraceMs } = options;
  const slots: SlotState[] = Array.from({ length: options.size }, () => ({
    process: undefined,
    entry: undefined,
    idleTimer: undefined,
  }));
  const processes = new Set<ComputeProcess>();
  /** Processes that end after their current work. */
  const stale = new WeakSet<ComputeProcess>();
  /** Processes that have received a request to stop. */
  const retired = new WeakSet<ComputeProcess>();
  const queue: Entry[] = [];
  let closed = false;
  let deaths = 0;
  let startedCount = 0;
  let isSlow = false;

  const start = (slot: SlotState): ComputeProcess => {
    startedCount += 1;
    const process = startComputeProcess({
      ...options,
      name: `${options.name}-${startedCount}`,
      processor: options.processors?.[slots.indexOf(slot)],
    });
    processes.add(process);
    slot.process = process;
    void process.exited.then((reason) => {
      processes.delete(process);
      if (slot.process === process) slot.process = undefined;
      if (retired.has(process) || slot.entry?.stopped !== undefined) return;
      deaths += 1;
      log.warn({ pid: process.pid, queue: options.name, reason }, 'compute process died');
    });
    return process;
  };

  const retire = (slot: SlotState): void => {
    const { process } = slot;
    if (process === undefined) return;
    slot.process = undefined;
    retired.add(process);
    void process.stop(stopGraceMs);
  };

  /** Returns a running process of the slot. Starts one with a limited number of retries and growing pauses. */
  const acquire = async (slot: SlotState, entry: Entry): Promise<ComputeProcess> => {
    if (slot.process?.isAlive() === true) return slot.process;
    const attempt = async (): Promise<ComputeProcess> => {
      if (entry.stopped !== undefined) throw entry.stopped;
      const process = start(slot);
      if (await process.ready) return process;
      throw new Error('The process ended before it took a job.');
    };
    try {
      return await pRetry(attempt, {
        retries: MAX_START_ATTEMPTS - 1,
        minTimeout: START_BACKOFF_MS,
        shouldRetry: () => entry.stopped === undefined,
      });
    } catch (cause) {
      if (entry.stopped !== undefined) throw entry.stopped;
      log.error({ queue: options.name, attempts: MAX_START_ATTEMPTS, err: cause }, 'compute processes do not start');
    }
    const error = new AppError('unavailable', message('process_not_started'));
    for (const waiting of queue.splice(0)) waiting.reject(error);
    throw error;
  };

  const runOn = async (slot: SlotState, entry: Entry, job: Parameters<Slot['run']>): Promise<JobOutcome> => {
    const process = await acquire(slot, entry);
    if (entry.stopped !== undefined) throw entry.stopped;
    process.pace(isSlow);
    const outcome = await process.run(...job);
    const isWorn =
      outcome.type !== 'died' &&
      (outcome.rss_bytes > (entry.demand.maxRssBytes ?? options.maxRssBytes) ||
        process.jobCount() >= options.maxJobsPerChild);
    if (isWorn) {
      log.debug({ pid: process.pid, queue: options.name, jobs: process.jobCount() }, 'compute process is replaced');
      retire(slot);
    }
    if (entry.stopped !== undefined) throw entry.stopped;
    return outcome;
  };

  const occupy = async (slot: SlotState, entry: Entry): Promise<void> => {
    clearTimeout(slot.idleTimer);
    slot.entry = entry;
    await entry.begin({ run: (...job) => runOn(slot, entry, job) });
    slot.entry = undefined;
    if (slot.process && stale.has(slot.process)) retire(slot);
    slot.idleTimer = setTimeout(() => retire(slot), options.idleStopMs).unref();
    pump();
  };

  const pump = (): void => {
    for (let entry = queue[0]; !closed && entry !== undefined; entry = queue[0]) {
      const idle = slots.filter((slot) => slot.entry === undefined);
      const atOnce = entry.demand.atOnce ?? slots.length;
      const slot = idle.find((candidate) => candidate.process !== undefined) ?? idle[0];
      if (slot === undefined || slots.length - idle.length >= atOnce) return;
      // The plan divides memory among `atOnce` processes, so further idle ones must release theirs.
      const others = idle.filter((other) => other !== slot && other.process !== undefined);
      const busy = slots.length - idle.length + 1;
      for (const other of others.slice(Math.max(0, atOnce - busy))) retire(other);
      queue.shift();
      void occupy(slot, entry);
    }
  };

  const stopEntry = (entry: Entry, error: Error): void => {
    if (entry.stopped !== undefined) return;
    entry.stopped = error;
    entry.reject(error);
    const position = queue.indexOf(entry);
    if (position >= 0) queue.splice(position, 1);
    slots.find((slot) => slot.entry === entry)?.process?.stopJob(stopGraceMs);
  };

  return {
    submit: <T>(work: (slot: Slot) => Promise<T>, signal?: AbortSignal, demand: Demand = {}): Promise<T> => {
      if (closed) return Promise.reject(closedError());
      if (signal?.aborted === true) return Promise.reject(abortError());
      const result = Promise.withResolvers<T>();
      const onAbort = (): void => stopEntry(entry, abortError());
      const entry: Entry = {
        demand,
        begin: (slot) => work(slot).then(result.resolve, result.reject),
        reject: result.reject,
        stopped: undefined,
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.push(entry);
      pump();
      return result.promise.finally(() => signal?.removeEventListener('abort', onAbort));
    },
    renew: () => {
      for (const slot of slots) {
        if (slot.entry === undefined) retire(slot);
        else if (slot.process) stale.add(slot.process);
      }
    },
    pace: (slow) => {
      isSlow = slow;
      for (const { process, entry } of slots) if (entry) process?.pace(slow);
    },
    isRunning: () => slots.some(({ process }) => process?.isAlive() === true),
    isIdle: () => slots.some(({ process, entry }) => entry === undefined && process?.isAlive() === true),
    status: () => ({ pids: [...processes].flatMap((process) => process.pid ?? []), deaths }),
    close: async () => {
      closed = true;
      for (const entry of [...queue, ...slots.flatMap((slot) => slot.entry ?? [])]) stopEntry(entry, closedError());
      for (const slot of slots) clearTimeout(slot.idleTimer);
      for (const process of processes) retired.add(process);
      await Promise.all([...processes].map((process) => process.stop(stopGraceMs)));
    },
  };
}

function abortError(): Error {
  return new DOMException('The work was stopped.', 'AbortError');
}

function closedError(): Error {
  return new AppError('unavailable', message('closing'));
}
