import type { DatasetStatus } from '../../contract/schemas/dataset.ts';
import type { TaskStatus, TaskType } from '../../contract/schemas/task.ts';

/** A task as the catalog keeps it. */
export interface TaskRow {
  task_id: string;
  /** Null where it is about no dataset. */
  dataset_id: string | null;
  task_type: TaskType;
  status: TaskStatus;
  status_message: string;
  /** Stored message; set while a failed task is being undone, too. */
  error_message: string | null;
  created_by: string;
  input: string;
  checkpoint: string;
  /** Runs that have begun since anything was saved, but for those that the app itself broke off. */
  attempts: number;
  step: string;
  done: number;
  total: number | null;
  progress_percentage: number | null;
  start_time: string;
  end_time: string | null;
}

export interface TaskListRow extends TaskRow {
  /** Both null where it is about no dataset. */
  dataset_name: string | null;
  dataset_status: DatasetStatus | null;
}

/** How a task holds a dataset while it is open: `kept` must stay there, whatever is written to it; `shared` must stay as it is. */
export type LockMode = 'kept' | 'shared' | 'exclusive';

export interface TaskLock {
  dataset_id: string;
  mode: LockMode;
}
