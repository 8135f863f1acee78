import type { z } from 'zod';
import { type Message, message } from '../../contract/messages.ts';
import type { ProgressUnit, TaskType } from '../../contract/schemas/task.ts';
import type { LockMode, TaskLock } from './task-row.ts';

/** Lanes and their number of concurrent tasks: long work in one lane never delays another. */
export const LANES = {
  ingest: 2,
  enrich: 1,
  export: 1,
  quick: 2,
  values: 2,
  models: 3,
  background: 1,
  cluster: 4,
  tags: 1,
  map: 1,
  check: 1,
} as const;
export type Lane = keyof typeof LANES;

/** Lanes that stop while tasks are paused: those that use the processors for long. Others are short, or somebody waits for them. */
export const PAUSED_LANES: readonly Lane[] = ['ingest', 'enrich', 'background', 'map', 'check'];

/** Failure reason of a task that a user aborted. */
export const STOPPED = message('stopped');

/** The context that a running task receives. */
export interface TaskRun<Input, Checkpoint> {
  task_id: string;
  /** Empty if the task has no dataset. */
  dataset_id: string;
  input: Input;
  /** The checkpoint that the previous run saved; empty on the first run. */
  checkpoint: Partial<Checkpoint>;
  /** Aborts when the user aborts the task or the app quits; every long await must react to it. */
  signal: AbortSignal;
  /** Starts a step. `from` and `to` are the step's share of the whole task, 0 to 1. The unit of `total` is items by default. */
  beginStep(step: Message, share: { from: number; to: number }, total: number | null, unit?: ProgressUnit): void;
  /** Reports the progress of the current step; written up to four times per second. */
  reportDone(done: number, total?: number): void;
  /** As `reportDone`, for items that are saved and that no later run repeats. Saving resets the count of attempts. */
  reportSaved(done: number, total?: number): void;
  /** Written immediately; a run after a crash receives it. */
  saveCheckpoint(checkpoint: Checkpoint): void;
  /** The last call of a run: `work` and the task's completion commit in one transaction. From here on, abort returns 409. */
  commit(outcome: Message, work: () => void): void;
}

/** A type of task. `run` consists of idempotent steps: after a crash it is called again with the last checkpoint. */
export interface TaskDefinition<Input = unknown, Checkpoint = unknown> {
  type: TaskType;
  input: z.ZodType<Input>;
  lane: Lane;
  /** Whether the task is the only writer of its dataset while it is open. */
  exclusive: boolean;
  /** Whether the dataset stays fully usable while the task runs: the task takes no lock, and its progress is not shown on the dataset. */
  isBackground?: boolean;
  /** Ids of other datasets that the task reads: nothing may write to them while it is open. */
  reads?(input: Input): string[];
  /** Ids of other datasets that must not be deleted while the task is open; they may be written to. */
  keeps?(input: Input): string[];
  /** Whether a run that a crash or quit interrupted is resumed or fails. */
  recovery: 'resume' | 'fail';
  run(run: TaskRun<Input, Checkpoint>): Promise<void>;
  /**
   * Reverts the effects of the task's runs before a failure is recorded. Must be idempotent, because a crash may interrupt it.
   * @param error The error that failed the task.
   */
  undo?(run: TaskRun<Input, Checkpoint>, error: unknown): Promise<void>;
  /** Whether the task is too far to be undone. A full disk then does not fail the task; it waits for free space. */
  isPastUndo?(checkpoint: Partial<Checkpoint>): boolean;
  /** Joins the transaction that marks the task failed or aborted. */
  onFailure(datasetId: string, reason: Message, input: Input): void;
  /** Releases what only an open task of the dataset needs. Called after a task has ended in any way, but not if a crash follows first. */
  onEnded?(datasetId: string): Promise<void>;
  /** Set if a user may abort the task; the reason is recorded as the task's failure. */
  abort?: { reason: Message };
  /** Set if the task may be run again after it failed or was aborted. */
  retry?: {
    /** Whether the retry continues from the last checkpoint. */
    checkpoint: 'keep' | 'reset';
    /** Joins the transaction that queues the task again; throws an AppError to reject the retry. */
    begin(datasetId: string, input: Input): void;
  };
}

/** The locks that a task of a definition holds while it is open. */
export function locksOf<Input>(
  definition: Pick<TaskDefinition<Input>, 'exclusive' | 'isBackground' | 'reads' | 'keeps'>,
  datasetId: string | null,
  input: Input,
): TaskLock[] {
  if (datasetId === null || definition.isBackground) return [];
  const own: TaskLock = { dataset_id: datasetId, mode: definition.exclusive ? 'exclusive' : 'shared' };
  const others = (ids: string[] | undefined, mode: LockMode) =>
    ids?.map((other) => ({ dataset_id: other, mode })) ?? [];
  return [own, ...others(definition.reads?.(input), 'shared'), ...others(definition.keeps?.(input), 'kept')];
}

export function defineTask<Input, Checkpoint>(
  definition: TaskDefinition<Input, Checkpoint>,
): TaskDefinition<Input, Checkpoint> {
  return definition;
}
