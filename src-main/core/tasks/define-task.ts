import type { z } from 'zod';
import type { TaskType } from '../../contract/schemas/task.ts';

/** What a running task works with. */
export interface TaskRun<Input, Checkpoint> {
  task_id: string;
  dataset_id: string;
  input: Input;
  /** What the last run saved; empty on the first. */
  checkpoint: Partial<Checkpoint>;
  /** Aborts when the person aborts the task or the app quits; every await that takes long listens to it. */
  signal: AbortSignal;
  /** Names what is done now. `from` and `to` are the step's share of the whole, 0 to 1. */
  beginStep(step: string, share: { from: number; to: number }, total: number | null): void;
  /** Items of the current step done so far; written at most four times a second. */
  reportDone(done: number, total?: number): void;
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
  /** Only one exclusive task runs on a dataset at a time. */
  exclusive: boolean;
  /** What happens to a run that a crash or quit cut off. */
  recovery: 'resume' | 'fail';
  run(run: TaskRun<Input, Checkpoint>): Promise<void>;
  /** Joins the transaction that marks the task failed or aborted. */
  onFailure(datasetId: string, reason: string, input: Input): void;
  /** Where it may run once more after it failed or was aborted. */
  retry?: {
    /** Whether it goes on from what the last run saved. */
    checkpoint: 'keep' | 'reset';
    /** Joins the transaction that queues the task again; refuses by an AppError. */
    begin(datasetId: string, input: Input): void;
  };
}

export function defineTask<Input, Checkpoint>(
  definition: TaskDefinition<Input, Checkpoint>,
): TaskDefinition<Input, Checkpoint> {
  return definition;
}
