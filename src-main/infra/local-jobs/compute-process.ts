import type { ErrorCode } from '../../contract/errors.ts';
import type { Message } from '../../contract/messages.ts';
import type { SpawnChild } from '../../core/ports/child-process.ts';
import type { Log } from '../../core/ports/log.ts';
import type { Borrow } from '../images/decode-memory.ts';
import type { FromChild, ToChild } from './child-protocol.ts';
import { LentMemory } from './lent-memory.ts';
import { keepOnProcessor } from './process-affinity.ts';
import { givePriority, type ProcessPriority } from './process-priority.ts';

/** Activity of a process when it became silent: loading models, reading a file, or applying models. */
export type Hang = 'loading' | 'reading' | 'applying';

/** Result of a job on one process. `died` is a crash or a signal; with `hung`, the process was killed because it was silent. */
export type JobOutcome =
  | { type: 'done'; result: unknown; rss_bytes: number }
  | { type: 'failed'; code: ErrorCode; reason: Message; rss_bytes: number }
  | { type: 'died'; reason: string; hung?: Hang };

export interface JobListeners {
  onStarted?(index: number): void;
  onFinished?(index: number, result: unknown): void;
  onProgress?(fraction: number): void;
}

/** One compute process from its start to its end. */
export interface ComputeProcess {
  /** Process id; undefined until the system has started the process. */
  readonly pid: number | undefined;
  /** Resolves to true when the process accepts jobs, or to false when it has died before. */
  readonly ready: Promise<boolean>;
  /** Resolves with the reason when the process has ended. */
  readonly exited: Promise<string>;
  isAlive(): boolean;
  /** Number of jobs that this process has run. */
  jobCount(): number;
  /**
   * Runs one job at a time; never rejects.
   * @param patience Share of `silenceMs` after which the process counts as hung. Default 1.
   */
  run(kind: string, payload: unknown, listeners: JobListeners, patience?: number): Promise<JobOutcome>;
  /** Makes the jobs of this process give way, or no longer. */
  pace(isSlow: boolean): void;
  /** Asks the running job to stop between items, and kills the process after `graceMs`. */
  stopJob(graceMs: number): void;
  /** Ends the process, by force after `graceMs`; resolves when it has ended. */
  stop(graceMs: number): Promise<void>;
}

export interface ComputeProcessOptions {
  entryFile: string;
  name: string;
  spawn: SpawnChild;
  priority: ProcessPriority;
  /** Number of the processor that the process stays on. Default: any. */
  processor?: number | undefined;
  log: Log;
  /** A busy process without progress for this long (and up to a quarter more) counts as hung and is killed. */
  silenceMs: number;
  /** The same limit until a job starts its first item, since it may be loading models. Default: `silenceMs`. */
  loadSilenceMs?: number | undefined;
  /** A busy process without a heartbeat for this long also counts as hung. Default: no limit. */
  heartbeatMs?: number | undefined;
  /** Requests memory for decoded images from the budget that all processes share. */
  borrow: Borrow;
}

/**
 * Silence is counted in timer ticks of this process, not by time of day: after this computer slept, or while this process was blocked, many
 * ticks collapse into one, so that a healthy child is not killed.
 */
const SILENT_TICKS = 4;
/** Maximum time in ms for a process to start: it loads its program from disk, which takes long on a busy computer. */
const START_LIMIT_MS = 30_000;

interface CurrentJob {
  id: number;
  /** Current activity of the job. */
  at: Hang;
  patience: number;
  listeners: JobListeners;
  settle: (outcome: JobOutcome) => void;
}

export function startComputeProcess(options: ComputeProcessOptions): ComputeProcess {
  const { log, silenceMs, loadSilenceMs = silenceMs, heartbeatMs = Number.POSITIVE_INFINITY } = options;
  const tickMs = Math.min(silenceMs, heartbeatMs) / SILENT_TICKS;
  const child = options.spawn(options.entryFile, options.name);
  const lower = () => givePriority(child.pid, options.priority, log);
  // Now, so that threads inherit it; later, because an Electron process gets its id only some time after the start.
  lower();
  const send = (message: ToChild): void => child.send(message);
  const memory = new LentMemory(options.borrow, send);
  const started = Promise.withResolvers<boolean>();
  const exited = Promise.withResolvers<string>();
  let alive = true;
  let isReady = false;
  let jobCount = 0;
  let hung: Hang | undefined;
  let quietTicks = 0;
  let missingTicks = 0;
  let job: CurrentJob | undefined;

  const resetTicks = () => {
    quietTicks = 0;
    missingTicks = 0;
  };

  const ticker = setInterval(() => {
    quietTicks += 1;
    missingTicks += 1;
    if (memory.isWaiting) quietTicks = 0;
    if (job === undefined && isReady) return;
    const jobLimitMs = job?.at === 'loading' ? loadSilenceMs : silenceMs * (job?.patience ?? 1);
    const quietLimitMs = isReady ? jobLimitMs : Math.max(silenceMs, START_LIMIT_MS);
    const isGone = isReady && missingTicks * tickMs > heartbeatMs;
    if (quietTicks * tickMs <= quietLimitMs && !isGone) return;
    log.warn({ pid: child.pid, quietLimitMs, heartbeatMs }, 'compute process hangs and is killed');
    resetTicks();
    hung = job?.at ?? 'loading';
    child.kill();
  }, tickMs);
  ticker.unref();

  const settle = (outcome: JobOutcome): void => {
    const ended = job;
    job = undefined;
    ended?.settle(outcome);
  };

  child.onMessage((raw) => {
    const message = raw as FromChild;
    missingTicks = 0;
    if (message.type === 'alive') return;
    quietTicks = 0;
    if (message.type === 'ready') {
      isReady = true;
      lower();
      if (options.processor !== undefined) keepOnProcessor(child.pid, options.processor, log);
      started.resolve(true);
      return;
    }
    if (memory.take(message)) return;
    if (job === undefined || message.job_id !== job.id) return;
    if (message.type === 'item_started') {
      if (job.at === 'loading') job.at = 'reading';
      job.listeners.onStarted?.(message.index);
    } else if (message.type === 'applying') job.at = 'applying';
    else if (message.type === 'item_result') {
      job.at = 'reading';
      job.listeners.onFinished?.(message.index, message.result);
    } else if (message.type === 'progress') job.listeners.onProgress?.(message.fraction);
    else if (message.type === 'job_done')
      settle({ type: 'done', result: message.result, rss_bytes: message.rss_bytes });
    else {
      log.error({ pid: child.pid, stack: message.stack }, 'compute job failed');
      settle({ type: 'failed', code: message.code, reason: message.reason, rss_bytes: message.rss_bytes });
    }
  });
  child.onExit((reason) => {
    alive = false;
    memory.close();
    clearInterval(ticker);
    started.resolve(false);
    settle({ type: 'died', reason, ...(hung && { hung }) });
    exited.resolve(reason);
  });

  const killAfter = (graceMs: number, done: Promise<unknown>): void => {
    const timer = setTimeout(() => child.kill(), graceMs);
    void done.then(() => clearTimeout(timer));
  };

  return {
    // A getter, because an Electron process gets its id only some time after the start.
    get pid() {
      return child.pid;
    },
    ready: started.promise,
    exited: exited.promise,
    isAlive: () => alive,
    jobCount: () => jobCount,
    run: (kind, payload, listeners, patience = 1) => {
      if (!alive) return Promise.resolve({ type: 'died', reason: 'was gone before the job' });
      const outcome = Promise.withResolvers<JobOutcome>();
      jobCount += 1;
      resetTicks();
      job = { id: jobCount, at: 'loading', patience, listeners, settle: outcome.resolve };
      send({ type: 'run', job_id: jobCount, kind, payload });
      return outcome.promise;
    },
    pace: (isSlow) => {
      if (alive) send({ type: 'pace', is_slow: isSlow });
    },
    stopJob: (graceMs) => {
      if (job === undefined) return;
      send({ type: 'stop', job_id: job.id });
      const running = Promise.withResolvers<void>();
      const { settle: tell } = job;
      job.settle = (outcome) => {
        running.resolve();
        tell(outcome);
      };
      killAfter(graceMs, running.promise);
    },
    stop: async (graceMs) => {
      if (!alive) return;
      send({ type: 'shutdown' });
      killAfter(graceMs, exited.promise);
      await exited.promise;
    },
  };
}
