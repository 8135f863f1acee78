import pRetry from 'p-retry';
import { AppError, isDiskFull, reasonOf } from '../../contract/errors.ts';
import { type Message, message, readMessage } from '../../contract/messages.ts';
import type { TaskType } from '../../contract/schemas/task.ts';
import { LANES, type Lane, locksOf, PAUSED_LANES, STOPPED, type TaskDefinition } from './define-task.ts';
import { ProgressMeter } from './progress.ts';
import type { TaskRow } from './task-row.ts';
import { Closing, type CurrentRun, Interrupted, type TaskRunParts, taskRun } from './task-run.ts';

/** Maximum number of runs that a crash ended before they saved anything. Beyond it, the task itself is assumed to crash the app. */
const MAX_ATTEMPTS = 5;
const CLOSE_WAIT_MS = 5000;
/** Minimum and maximum wait, in milliseconds, before work that a full disk stopped is tried again. */
const ROOM_WAIT_MS = { min: 250, max: 30_000 };

interface Running extends CurrentRun {
  dataset_id: string | null;
  lane: Lane;
  /** Whether an interrupted run can be resumed. */
  canResume: boolean;
  /** Whether the run was interrupted by a pause. */
  isPaused: boolean;
  ended: Promise<void>;
}

export interface TaskRunnerOptions extends TaskRunParts {
  /** Converts known external failures to an AppError; returns other errors unchanged. */
  normalise: (error: unknown) => unknown;
  /** Disk space that is reserved for use when the disk is full. */
  reserve: { giveUp(): void; setAside(): void };
}

/** Claims waiting task rows, runs them in their lanes, and recovers interrupted tasks after a crash. */
export class TaskRunner {
  readonly #options: TaskRunnerOptions;
  readonly #definitions = new Map<TaskType, TaskDefinition>();
  readonly #running = new Map<string, Running>();
  #closing = false;
  #paused = false;
  /** Ids of the tasks that a pause interrupted. */
  readonly #held = new Set<string>();

  constructor(options: TaskRunnerOptions) {
    this.#options = options;
  }

  /** Registers task definitions. Call before {@link recover}. */
  define(...definitions: TaskDefinition[]): void {
    for (const definition of definitions) this.#definitions.set(definition.type, definition);
  }

  /**
   * Resumes or fails the tasks that a crash or quit interrupted, as their definitions say, then starts waiting tasks. Writes nothing
   * itself.
   */
  recover(): void {
    for (const row of this.#options.tasks.listCutOff()) {
      const reason = this.#whyGivenUp(row);
      this.#options.log.info({ task_id: row.task_id, reason }, 'resuming an interrupted task');
      this.#start(row, reason);
    }
    this.wake();
  }

  /** Starts waiting tasks up to the limit of each lane. Call after committing a row. */
  wake(): void {
    for (const lane of Object.keys(LANES) as Lane[]) {
      if (this.#paused && PAUSED_LANES.includes(lane)) continue;
      const types = [...this.#definitions.values()].filter((one) => one.lane === lane).map(({ type }) => type);
      while (!this.#closing && this.#countRunning(lane) < LANES[lane]) {
        const row = this.#options.tasks.findWaiting(types, [...this.#running.keys()]);
        if (!row) break;
        this.#start(row);
      }
    }
  }

  get isPaused(): boolean {
    return this.#paused;
  }

  /**
   * Starts no more tasks that use the processors for long ({@link PAUSED_LANES}), and interrupts the running ones that can be resumed; their
   * rows stay RUNNING. Resolves when these have stopped. A pause lasts until {@link resume} or the next start of the app.
   */
  async pause(): Promise<void> {
    this.#paused = true;
    const stopping = [...this.#running].filter(
      ([, { lane, canResume, isPaused }]) => PAUSED_LANES.includes(lane) && canResume && !isPaused,
    );
    this.#options.tasks.uncountRuns(stopping.map(([taskId]) => taskId));
    for (const [, running] of stopping) {
      running.isPaused = true;
      running.controller.abort(new Interrupted('tasks are paused'));
    }
    await Promise.all(stopping.map(([, running]) => running.ended));
    this.#announcePause();
  }

  /** Ends a pause: resumes the tasks that it interrupted, and starts waiting ones. */
  resume(): void {
    this.#paused = false;
    this.#resumeHeld();
    this.wake();
    this.#announcePause();
  }

  meterOf(taskId: string): ProgressMeter | undefined {
    return this.#running.get(taskId)?.meter;
  }

  /** The actions that a user may take on a task in its current status. */
  controlsOf({ task_type, status }: TaskRow): { can_abort: boolean; can_retry: boolean } {
    const definition = this.#definitions.get(task_type);
    const isOpen = status === 'INITIALIZING' || status === 'RUNNING';
    return {
      can_abort: isOpen && definition?.abort !== undefined,
      can_retry: (status === 'FAILED' || status === 'ABORTED') && definition?.retry !== undefined,
    };
  }

  /**
   * Ends a task as ABORTED.
   * @throws AppError `invalid_request` for a type that cannot be aborted, `conflict` if the task has ended or is in its final commit.
   */
  abort(row: TaskRow): void {
    const { catalog, tasks, clock } = this.#options;
    const definition = this.#definitionOf(row);
    const { abort } = definition;
    if (!abort) throw new AppError('invalid_request', message('task_not_abortable', { type: row.task_type }));
    const ended = catalog.transaction(() => {
      const end = { status: 'ABORTED', message: STOPPED, error: null, end_time: clock.iso() } as const;
      if (!tasks.finish(row.task_id, end)) return false;
      definition.onFailure(row.dataset_id ?? '', abort.reason, inputOf(definition, row));
      return true;
    });
    if (!ended) throw new AppError('conflict', message('task_ended', { status: row.status }));
    const running = this.#running.get(row.task_id);
    running?.controller.abort(new Interrupted('aborted'));
    if (!running) void this.#release(row);
    this.#announce(row);
  }

  /**
   * Queues a failed or aborted task again. Call {@link wake} after.
   * @throws AppError `invalid_request` if the task has not failed or its type has no retry; and any error of the definition's
   * `retry.begin`.
   */
  retry(row: TaskRow): void {
    const { catalog, tasks, clock } = this.#options;
    const definition = this.#definitionOf(row);
    const { retry } = definition;
    if (!retry) throw new AppError('invalid_request', message('task_not_retryable', { type: row.task_type }));
    if (row.status !== 'FAILED' && row.status !== 'ABORTED') {
      throw new AppError('invalid_request', message('task_not_failed', { status: row.status }));
    }
    const input = inputOf(definition, row);
    catalog.transaction(() => {
      retry.begin(row.dataset_id ?? '', input);
      const again = { checkpoint: retry.checkpoint, start_time: clock.iso() };
      tasks.markRetried(row.task_id, again, locksOf(definition, row.dataset_id, input));
    });
    this.#announce(row);
  }

  /** Resolves when the task is not running. */
  async whenEnded(taskId: string): Promise<void> {
    await this.#running.get(taskId)?.ended;
  }

  isRunning(datasetId: string): boolean {
    return [...this.#running.values()].some((running) => running.dataset_id === datasetId);
  }

  /** Interrupts the running tasks of a dataset and waits until they have ended. */
  async stopDataset(datasetId: string): Promise<void> {
    const stopping = [...this.#running.values()].filter((running) => running.dataset_id === datasetId);
    for (const running of stopping) running.controller.abort(new Interrupted('the dataset is being deleted'));
    await Promise.all(stopping.map((running) => running.ended));
  }

  /** Stops claiming tasks, interrupts running ones and waits briefly; rows stay unchanged for {@link recover}. */
  async close(): Promise<void> {
    this.#closing = true;
    const { tasks, log } = this.#options;
    try {
      tasks.uncountRuns([...this.#running.keys()]);
    } catch (error) {
      log.warn({ err: error }, 'interrupted runs could not be uncounted');
    }
    const ends = [...this.#running.values()].map((running) => {
      running.controller.abort(new Closing('the app is closing'));
      return running.ended;
    });
    await Promise.race([Promise.all(ends), new Promise((resolve) => setTimeout(resolve, CLOSE_WAIT_MS).unref())]);
  }

  /** Starts the tasks that a pause interrupted, except those that were aborted or deleted since. */
  #resumeHeld(): void {
    if (this.#paused || this.#held.size === 0) return;
    const rows = this.#options.tasks.listCutOff().filter(({ task_id }) => this.#held.has(task_id));
    this.#held.clear();
    for (const row of rows) this.#start(row);
  }

  #countRunning(lane: Lane): number {
    return [...this.#running.values()].filter((running) => running.lane === lane).length;
  }

  #definitionOf(row: TaskRow): TaskDefinition {
    const definition = this.#definitions.get(row.task_type);
    if (!definition) throw new Error(`no definition of ${row.task_type}`);
    return definition;
  }

  /** The reason why an interrupted task is not run again; undefined if it is. */
  #whyGivenUp(row: TaskRow): Message | undefined {
    // The task had already failed, and its effects were being undone.
    if (row.error_message !== null) return readMessage(row.error_message);
    if (this.#definitionOf(row).recovery === 'fail') return message('closed_while_running');
    if (row.attempts >= MAX_ATTEMPTS) return message('interrupted_repeatedly');
    return undefined;
  }

  /** @param failure Set for a task that has already failed: its effects are undone, and the failure is recorded. */
  #start(row: TaskRow, failure?: Message): void {
    const { lane, recovery } = this.#definitionOf(row);
    const running: Running = {
      dataset_id: row.dataset_id,
      lane,
      canResume: recovery === 'resume' && failure === undefined,
      isPaused: false,
      controller: new AbortController(),
      meter: new ProgressMeter(this.#options.clock),
      checkpoint: JSON.parse(row.checkpoint) as Record<string, unknown>,
      committed: false,
      ended: Promise.resolve(),
    };
    this.#running.set(row.task_id, running);
    const work =
      failure === undefined ? this.#run(row, running) : this.#fail(row, running, new AppError('unavailable', failure));
    running.ended = work
      .then(() => (running.isPaused && !running.committed ? undefined : this.#release(row)))
      .finally(() => {
        this.#running.delete(row.task_id);
        this.#announce(row);
        if (running.isPaused && !this.#closing) {
          this.#held.add(row.task_id);
          // The pause may have ended before the run did.
          this.#resumeHeld();
        }
        this.wake();
      });
  }

  /** Never rejects. */
  async #release(row: TaskRow): Promise<void> {
    if (this.#closing) return;
    try {
      await this.#definitionOf(row).onEnded?.(row.dataset_id ?? '');
    } catch (error) {
      this.#options.log.warn(
        { task_id: row.task_id, err: error },
        'the resources of an ended task could not be released',
      );
    }
  }

  async #run(row: TaskRow, running: Running): Promise<void> {
    const { tasks, reserve } = this.#options;
    const definition = this.#definitionOf(row);
    const { signal } = running.controller;
    // A task that shares its dataset does not show its progress on the dataset.
    const mirrored = definition.exclusive ? {} : { onProgress: () => undefined };
    const parts = { ...this.#options, ...mirrored };
    const run = () => definition.run(taskRun(parts, row, running, inputOf(definition, row)));
    try {
      reserve.setAside();
      tasks.markRunning(row.task_id);
      this.#announce(row);
      const isPastUndo = () => definition.isPastUndo?.(running.checkpoint) ?? false;
      await this.#whileFull(signal, run, isPastUndo);
      if (!running.committed) throw new Error(`${row.task_type} ended without a commit`);
    } catch (error) {
      if (!signal.aborted) await this.#fail(row, running, error);
    }
  }

  /** Undoes the task and records its failure, as soon as the disk has space for that. */
  async #fail(row: TaskRow, running: Running, caught: unknown): Promise<void> {
    const { tasks, log, normalise } = this.#options;
    const { signal } = running.controller;
    const error = normalise(caught);
    const reason = reasonOf(error);
    log.error({ task_id: row.task_id, err: error }, 'task failed');
    const record = async () => {
      tasks.noteFailure(row.task_id, reason);
      await this.#undo(row, running, error);
      signal.throwIfAborted();
      this.#recordFailure(row, reason);
    };
    try {
      await this.#whileFull(signal, record, () => true);
    } catch (failure) {
      // The row stays RUNNING, and the next start recovers the task.
      if (!signal.aborted)
        log.error({ task_id: row.task_id, err: failure }, 'the failure of a task could not be recorded');
    }
  }

  /** Repeats work that fails because the disk is full until there is space; releases the reserved space first. */
  async #whileFull(signal: AbortSignal, work: () => Promise<void>, waits: () => boolean): Promise<void> {
    const { log, reserve } = this.#options;
    await pRetry(work, {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: ROOM_WAIT_MS.min,
      maxTimeout: ROOM_WAIT_MS.max,
      signal,
      shouldRetry: ({ error }) => {
        if (!isDiskFull(error) || !waits()) return false;
        log.warn({ err: error }, 'the disk is full; trying again later');
        reserve.giveUp();
        return true;
      },
    });
  }

  async #undo(row: TaskRow, running: Running, error: unknown): Promise<void> {
    const { log } = this.#options;
    const definition = this.#definitionOf(row);
    try {
      await definition.undo?.(taskRun(this.#options, row, running, inputOf(definition, row)), error);
    } catch (failure) {
      if (isDiskFull(failure) || running.controller.signal.aborted) throw failure;
      log.error({ task_id: row.task_id, err: failure }, 'the work of a failed task could not be undone');
    }
  }

  #recordFailure(row: TaskRow, reason: Message): void {
    const { catalog, tasks, clock } = this.#options;
    const definition = this.#definitionOf(row);
    catalog.transaction(() => {
      const end = { status: 'FAILED', message: message('task_failed'), error: reason, end_time: clock.iso() } as const;
      if (tasks.finish(row.task_id, end)) definition.onFailure(row.dataset_id ?? '', reason, inputOf(definition, row));
    });
  }

  /** Lets pages and the tray of people who may manage the service look again, also if no task has changed. */
  #announcePause(): void {
    this.#options.events.emit('task_changed', { task_id: '', dataset_id: '' });
  }

  #announce({ task_id, dataset_id }: TaskRow): void {
    const { events } = this.#options;
    events.emit('task_changed', { task_id, dataset_id: dataset_id ?? '' });
    if (dataset_id !== null) events.emit('dataset_changed', { dataset_id });
  }
}

function inputOf(definition: TaskDefinition, row: TaskRow): unknown {
  return definition.input.parse(JSON.parse(row.input));
}
