import { AppError } from '../../contract/errors.ts';
import type { TaskType } from '../../contract/schemas/task.ts';
import type { Catalog } from '../../infra/catalog/catalog.ts';
import type { EventBus } from '../events.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { TaskDefinition, TaskRun } from './define-task.ts';
import { ProgressMeter } from './progress.ts';
import type { TaskRepository } from './task.repository.ts';
import type { TaskRow } from './task-row.ts';

/** Tasks that run at once; their heavy parts share the compute processes anyway. */
const MAX_RUNNING = 2;
/** Runs cut off this many times without reaching a checkpoint are given up: something about them kills the app. */
const MAX_ATTEMPTS = 5;
const WRITE_INTERVAL_MS = 250;
const CLOSE_WAIT_MS = 5000;

interface Running {
  dataset_id: string;
  controller: AbortController;
  meter: ProgressMeter;
  committed: boolean;
  ended: Promise<void>;
}

/** Raised inside a run by abort or quit; it is not a failure. */
class Interrupted extends Error {}

export interface TaskRunnerOptions {
  catalog: Catalog;
  tasks: TaskRepository;
  events: EventBus;
  clock: Clock;
  log: Log;
  /** Turns known failures of the outside world into an AppError; returns others as they are. */
  normalise: (error: unknown) => unknown;
  /** Frees space kept for when the disk is full; false when there is none. */
  makeRoom: () => boolean;
  /** Mirrors a running task's progress on its dataset. */
  onProgress: (datasetId: string, percentage: number) => void;
}

/** Claims waiting task rows, runs them, and brings back after a crash what was cut off. */
export class TaskRunner {
  readonly #options: TaskRunnerOptions;
  readonly #definitions = new Map<TaskType, TaskDefinition>();
  readonly #running = new Map<string, Running>();
  #closing = false;

  constructor(options: TaskRunnerOptions) {
    this.#options = options;
  }

  /** Makes kinds of work known. Call before {@link recover}. */
  define(...definitions: TaskDefinition[]): void {
    for (const definition of definitions) this.#definitions.set(definition.type, definition);
  }

  /** Puts what a crash or quit cut off back in the queue, or ends it, as its definition says; then starts. */
  recover(): void {
    const { tasks, log } = this.#options;
    for (const row of tasks.listRunning()) {
      if (row.status !== 'RUNNING') continue;
      const resumes = this.#definitions.get(row.task_type)?.recovery === 'resume';
      if (resumes && row.attempts < MAX_ATTEMPTS) {
        log.info({ task_id: row.task_id }, 'resuming a task that was cut off');
        tasks.markWaiting(row.task_id);
      } else {
        this.#fail(
          row,
          resumes
            ? 'The task was cut off again and again without getting any further'
            : 'The app was closed while the task ran',
        );
      }
    }
    this.wake();
  }

  /** Starts waiting tasks up to the limit. Call after committing a row. */
  wake(): void {
    while (!this.#closing && this.#running.size < MAX_RUNNING) {
      const row = this.#options.tasks.findWaiting([...this.#running.keys()]);
      if (!row) return;
      this.#start(row);
    }
  }

  meterOf(taskId: string): ProgressMeter | undefined {
    return this.#running.get(taskId)?.meter;
  }

  /**
   * Ends a task as ABORTED.
   * @throws AppError `conflict` once it has ended or is in its final commit.
   */
  abort(row: TaskRow): void {
    const { catalog, tasks, clock, events } = this.#options;
    const ended = catalog.transaction(() => {
      const end = { status: 'ABORTED', message: 'Aborted', error_message: null, end_time: clock.iso() } as const;
      if (!tasks.finish(row.task_id, end)) return false;
      this.#tellFailure(row, 'Creation was aborted');
      return true;
    });
    if (!ended) throw new AppError('conflict', `The task cannot be aborted: it is ${row.status}`);
    this.#running.get(row.task_id)?.controller.abort(new Interrupted('aborted'));
    events.emit('task_changed', { task_id: row.task_id, dataset_id: row.dataset_id });
    events.emit('dataset_changed', { dataset_id: row.dataset_id });
  }

  /**
   * Queues an ended task once more. Call {@link wake} after.
   * @throws AppError `invalid_request` when it has not failed or is of a kind that runs once; whatever its definition refuses with.
   */
  retry(row: TaskRow): void {
    const { catalog, tasks, clock, events } = this.#options;
    const definition = this.#definitions.get(row.task_type);
    const retry = definition?.retry;
    if (!retry) throw new AppError('invalid_request', 'Only dataset creation and enrichment tasks can be retried');
    if (row.status !== 'FAILED' && row.status !== 'ABORTED') {
      throw new AppError('invalid_request', `Only a failed or aborted task can be retried; this one is ${row.status}`);
    }
    catalog.transaction(() => {
      retry.begin(row.dataset_id, definition.input.parse(JSON.parse(row.input)));
      tasks.markWaiting(row.task_id, { checkpoint: retry.checkpoint, start_time: clock.iso() });
    });
    events.emit('task_changed', { task_id: row.task_id, dataset_id: row.dataset_id });
    events.emit('dataset_changed', { dataset_id: row.dataset_id });
  }

  /** Interrupts what runs on a dataset and waits until it is gone. */
  async stopDataset(datasetId: string): Promise<void> {
    const stopping = [...this.#running.values()].filter((running) => running.dataset_id === datasetId);
    for (const running of stopping) running.controller.abort(new Interrupted('the dataset is being deleted'));
    await Promise.all(stopping.map((running) => running.ended));
  }

  /** Stops claiming, interrupts what runs and waits briefly; rows stay as they are for {@link recover}. */
  async close(): Promise<void> {
    this.#closing = true;
    const ends = [...this.#running.values()].map((running) => {
      running.controller.abort(new Interrupted('the app is closing'));
      return running.ended;
    });
    await Promise.race([Promise.all(ends), new Promise((resolve) => setTimeout(resolve, CLOSE_WAIT_MS).unref())]);
  }

  #start(row: TaskRow): void {
    const { tasks, clock, events } = this.#options;
    tasks.markRunning(row.task_id);
    const running: Running = {
      dataset_id: row.dataset_id,
      controller: new AbortController(),
      meter: new ProgressMeter(clock),
      committed: false,
      ended: Promise.resolve(),
    };
    this.#running.set(row.task_id, running);
    events.emit('task_changed', { task_id: row.task_id, dataset_id: row.dataset_id });
    running.ended = this.#run(row, running).finally(() => {
      this.#running.delete(row.task_id);
      events.emit('task_changed', { task_id: row.task_id, dataset_id: row.dataset_id });
      events.emit('dataset_changed', { dataset_id: row.dataset_id });
      this.wake();
    });
  }

  async #run(row: TaskRow, running: Running): Promise<void> {
    const { log, normalise } = this.#options;
    try {
      const definition = this.#definitions.get(row.task_type);
      if (!definition) throw new Error(`no definition of ${row.task_type}`);
      const input = definition.input.parse(JSON.parse(row.input));
      await definition.run(this.#context(row, running, input));
      if (!running.committed) throw new Error(`${row.task_type} ended without a commit`);
    } catch (caught) {
      if (running.controller.signal.aborted) return;
      const error = normalise(caught);
      log.error({ task_id: row.task_id, err: error }, 'task failed');
      this.#fail(
        row,
        error instanceof AppError ? error.message : 'Something went wrong inside Vitrine. The log has the details.',
      );
    }
  }

  #context(row: TaskRow, running: Running, input: unknown): TaskRun<unknown, unknown> {
    const { catalog, tasks, clock, events, onProgress } = this.#options;
    const { meter, controller } = running;
    let writtenAt = Number.NEGATIVE_INFINITY;
    const write = (force: boolean) => {
      if (!force && clock.ticksMs() - writtenAt < WRITE_INTERVAL_MS) return;
      writtenAt = clock.ticksMs();
      const { step, done, total, percentage, message } = meter;
      catalog.transaction(() => {
        tasks.saveProgress(row.task_id, { step, done, total, percentage, message });
        onProgress(row.dataset_id, percentage);
      });
      events.emit('task_changed', { task_id: row.task_id, dataset_id: row.dataset_id });
    };
    return {
      task_id: row.task_id,
      dataset_id: row.dataset_id,
      input,
      checkpoint: JSON.parse(row.checkpoint) as Record<string, unknown>,
      signal: controller.signal,
      beginStep: (step, share, total) => {
        controller.signal.throwIfAborted();
        meter.begin(step, share, total);
        write(true);
      },
      reportDone: (done, total) => {
        meter.report(done, total ?? meter.total);
        write(false);
      },
      saveCheckpoint: (checkpoint) => tasks.saveCheckpoint(row.task_id, JSON.stringify(checkpoint)),
      commit: (statusMessage, work) => {
        controller.signal.throwIfAborted();
        catalog.transaction(() => {
          work();
          const end = {
            status: 'COMPLETED',
            message: statusMessage,
            error_message: null,
            end_time: clock.iso(),
          } as const;
          if (!tasks.finish(row.task_id, end)) throw new Interrupted('ended meanwhile');
        });
        running.committed = true;
      },
    };
  }

  #fail(row: TaskRow, reason: string): void {
    try {
      this.#recordFailure(row, reason);
    } catch (error) {
      const { log, makeRoom } = this.#options;
      log.error({ task_id: row.task_id, err: error }, 'a failure could not be recorded');
      // Without room the row stays RUNNING, and the next start takes it up again.
      if (makeRoom()) this.#fail(row, reason);
    }
  }

  #recordFailure(row: TaskRow, reason: string): void {
    const { catalog, tasks, clock } = this.#options;
    catalog.transaction(() => {
      const end = { status: 'FAILED', message: 'Failed', error_message: reason, end_time: clock.iso() } as const;
      if (tasks.finish(row.task_id, end)) this.#tellFailure(row, reason);
    });
  }

  #tellFailure(row: TaskRow, reason: string): void {
    const definition = this.#definitions.get(row.task_type);
    definition?.onFailure(row.dataset_id, reason, definition.input.parse(JSON.parse(row.input)));
  }
}
