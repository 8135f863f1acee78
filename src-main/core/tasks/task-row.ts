import type { DatasetStatus } from '../../contract/schemas/dataset.ts';
import type { TaskStatus, TaskType } from '../../contract/schemas/task.ts';

/** A task's row in the catalog. */
export interface TaskRow {
  task_id: string;
  /** Null if the task has no dataset. */
  dataset_id: string | null;
  task_type: TaskType;
  status: TaskStatus;
  /** Stored message. */
  status_message: string;
  /** Stored message; also set while a failed task is being undone. */
  error_message: string | null;
  created_by: string;
  input: string;
  checkpoint: string;
  /** Number of runs since the task last saved progress, without those that the app itself ended by closing. */
  attempts: number;
  /** Stored message; empty before the first step. */
  step: string;
  done: number;
  total: number | null;
  progress_percentage: number | null;
  start_time: string;
  end_time: string | null;
}

export interface TaskListRow extends TaskRow {
  /** Both null if the task has no dataset. */
  dataset_name: string | null;
  dataset_status: DatasetStatus | null;
}

/**
 * How a task locks a dataset while it is open: `kept` forbids its deletion, `shared` forbids changes, `exclusive` forbids other writers.
 */
export type LockMode = 'kept' | 'shared' | 'exclusive';

export interface TaskLock {
  dataset_id: string;
  mode: LockMode;
}
