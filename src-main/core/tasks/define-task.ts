import type { z } from 'zod';
import { type Message, message } from '../../contract/messages.ts';
import type { ProgressUnit, TaskType } from '../../contract/schemas/task.ts';
import type { LockMode, TaskLock } from './task-row.ts';

/** Kinds of work and how many tasks of each run at once: long work of one kind never holds up another. */
export const LANES = {
  ingest: 2,
  enrich: 1,
  export: 1,
  quick: 2,
  values: 2,
  models: 3,
  background: 1,
  map: 1,
} as const;
export type Lane = keyof typeof LANES;

/** Reason of a task that a person aborted. */
export const STOPPED = message('stopped');

/** What a running task works with. */
export interface TaskRun<Input, Checkpoint> {
  task_id: string;
  /** Empty where the task is about no dataset. */
  dataset_id: string;
  input: Input;
  /** What the last run saved; empty on the first. */
  checkpoint: Partial<Checkpoint>;
  /** Aborts when the person aborts the task or the app quits; every await that takes long listens to it. */
  signal: AbortSignal;
  /** Names what is done now. `from` and `to` are the step's share of the whole, 0 to 1; items are counted unless it says otherwise. */
  beginStep(step: string, share: { from: number; to: number }, total: number | null, unit?: ProgressUnit): void;
  /** How much of the current step is done so far; written at most four times a second. */
  reportDone(done: number, total?: number): void;
  /** The same for items that are saved, so that no later run does them again: a task that saves is getting on. */
  reportSaved(done: number, total?: number): void;
  /** Saved at once; a run after a crash finds it. */
  saveCheckpoint(checkpoint: Checkpoint): void;
  /**
   * The last act: `work` and the task's completion commit in one transaction. From here abort answers 409.
   */
  commit(statusMessage: string, work: () => void): void;
}

/** A kind of slow work. `run` is made of idempotent steps: after a crash it is called again with the last checkpoint. */
export interface TaskDefinition<Input = unknown, Checkpoint = unknown> {
  type: TaskType;
  input: z.ZodType<Input>;
  lane: Lane;
  /** Whether it alone writes to its dataset while it is open. */
  exclusive: boolean;
  /** Its dataset is as usable as ever while it runs: it holds nothing, and its progress is not the dataset's. */
  isBackground?: boolean;
  /** Other datasets that it reads: nothing may write to them while it is open. */
  reads?(input: Input): string[];
  /** Other datasets that it needs to stay there; they may be written to. */
  keeps?(input: Input): string[];
  /** What happens to a run that a crash or quit cut off. */
  recovery: 'resume' | 'fail';
  run(run: TaskRun<Input, Checkpoint>): Promise<void>;
  /**
   * Takes back what runs have left, before a failure is recorded; idempotent, since a crash may cut it off too.
   * @param error Why the task failed.
   */
  undo?(run: TaskRun<Input, Checkpoint>, error: unknown): Promise<void>;
  /** Whether so much is done that it is not undone any more: a full disk does not end the task then, it waits for room. */
  isPastUndo?(checkpoint: Partial<Checkpoint>): boolean;
  /** Joins the transaction that marks the task failed or aborted. */
  onFailure(datasetId: string, reason: Message, input: Input): void;
  /** Present where a person may abort the task; the reason is recorded as that of the task's failure. */
  abort?: { reason: Message };
  /** Where it may run once more after it failed or was aborted. */
  retry?: {
    /** Whether it goes on from what the last run saved. */
    checkpoint: 'keep' | 'reset';
    /** Joins the transaction that queues the task again; refuses by an AppError. */
    begin(datasetId: string, input: Input): void;
  };
}

/** What a task of a definition holds while it is open. */
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
