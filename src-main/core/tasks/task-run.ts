import type { EventBus } from '../events.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { TaskRun } from './define-task.ts';
import type { ProgressMeter } from './progress.ts';
import type { TaskRepository } from './task.repository.ts';
import type { TaskRow } from './task-row.ts';

const WRITE_INTERVAL_MS = 250;

/** Thrown inside a run when the task is aborted or the app quits; not a failure. */
export class Interrupted extends Error {}
/** The app quits, and the next start may continue the run. */
export class Closing extends Interrupted {}

export interface TaskRunParts {
  catalog: Catalog;
  tasks: TaskRepository;
  events: EventBus;
  clock: Clock;
  log: Log;
  /** Copies a running task's progress to its dataset. */
  onProgress: (datasetId: string, percentage: number) => void;
}

/** The runner's state of one run. */
export interface CurrentRun {
  controller: AbortController;
  meter: ProgressMeter;
  /** The checkpoint that was saved last, or whose save was tried last. */
  checkpoint: Record<string, unknown>;
  committed: boolean;
}

/** Creates the context that a task definition receives for one run of a task. */
export function taskRun(parts: TaskRunParts, row: TaskRow, run: CurrentRun, input: unknown): TaskRun<unknown, unknown> {
  const { catalog, tasks, clock, events, log, onProgress } = parts;
  const { task_id } = row;
  const datasetId = row.dataset_id ?? '';
  const { meter, controller } = run;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let hasSaved = false;

  /** Progress is only for display: if it cannot be written the run continues, and a full disk fails the run's own writes. */
  const attempt = (write: () => void) => {
    try {
      write();
    } catch (error) {
      log.warn({ task_id, err: error }, 'progress could not be written');
    }
  };
  const write = (force: boolean) => {
    if (!force && clock.ticksMs() - writtenAt < WRITE_INTERVAL_MS) return;
    writtenAt = clock.ticksMs();
    const { step, done, total, percentage, message } = meter;
    if (step === null || message === undefined) return;
    attempt(() =>
      catalog.transaction(() => {
        tasks.saveProgress(task_id, { step, done, total, percentage, message });
        if (row.dataset_id !== null) onProgress(row.dataset_id, percentage);
      }),
    );
    events.emit('task_changed', { task_id, dataset_id: datasetId });
  };
  const report = (done: number, total: number | undefined) => {
    meter.report(done, total ?? meter.total);
    write(false);
  };

  return {
    task_id,
    dataset_id: datasetId,
    input,
    checkpoint: run.checkpoint,
    signal: controller.signal,
    beginStep: (step, share, total, unit = 'items') => {
      controller.signal.throwIfAborted();
      meter.begin(step, share, total, unit);
      write(true);
    },
    reportDone: report,
    reportSaved: (done, total) => {
      report(done, total);
      if (hasSaved) return;
      hasSaved = true;
      attempt(() => tasks.noteSaved(task_id));
    },
    saveCheckpoint: (checkpoint) => {
      run.checkpoint = { ...(checkpoint as object) };
      tasks.saveCheckpoint(task_id, JSON.stringify(checkpoint));
    },
    commit: (outcome, work) => {
      controller.signal.throwIfAborted();
      catalog.transaction(() => {
        work();
        const end = {
          status: 'COMPLETED',
          message: outcome,
          error: null,
          end_time: clock.iso(),
        } as const;
        if (!tasks.finish(task_id, end)) throw new Interrupted('ended meanwhile');
      });
      run.committed = true;
    },
  };
}
