import { z } from 'zod';

/** Those of interface section 3. */
export const INTERFACE_TASK_TYPES = [
  'DATASET_CREATION',
  'MEDIA_ADDITION',
  'REINDEX',
  'ENRICHMENT',
  'CUSTOM_METADATA',
  'SNAPSHOT_RESTORE',
  'SNAPSHOT_CLONE',
] as const;

export const TASK_TYPES = [
  ...INTERFACE_TASK_TYPES,
  'MEANING_ADDITION',
  'MODEL_DOWNLOAD',
  'MODEL_IMPORT',
  'BACKUP',
  'DATASET_RESTORE',
  'DATA_CHECK',
  'DUPLICATE_DETECTION',
  'PROJECTION',
  'EXPORT',
] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** Those that run beside everything else: their dataset is as usable as ever. */
export const BACKGROUND_TASKS: readonly TaskType[] = ['DUPLICATE_DETECTION', 'PROJECTION', 'EXPORT'];

export const TASK_STATUSES = ['INITIALIZING', 'RUNNING', 'COMPLETED', 'FAILED', 'ABORTED'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What a step of a task counts. */
export const PROGRESS_UNITS = ['items', 'percent', 'megabytes'] as const;
export type ProgressUnit = (typeof PROGRESS_UNITS)[number];

export const task = z.object({
  task_id: z.string(),
  /** Both empty where a task is about no dataset: fetching a model. */
  dataset_id: z.string(),
  dataset_name: z.string(),
  /** What can be done with the dataset; `READ_ONLY` stands for every status but the two others. */
  dataset_status: z.enum(['READY', 'READ_ONLY', 'PARTIAL_INDEX']),
  created_by: z.string(),
  task_type: z.enum(TASK_TYPES),
  status: z.enum(TASK_STATUSES),
  status_message: z.string(),
  progress_percentage: z.int().min(0).max(100).nullable(),
  error_message: z.string().nullable(),
  start_time: z.string(),
  end_time: z.string().nullable(),
  /** What is being done now, in the field's words; empty before the first step. */
  step: z.string(),
  /** How much of the current step is done and is in all; `total` is null while it is not known. */
  done: z.int(),
  total: z.int().nullable(),
  unit: z.enum(PROGRESS_UNITS),
  /** Measured over the last seconds; null until known. */
  items_per_s: z.number().nullable(),
  time_left_s: z.number().nullable(),
  /** Ours: whether it can be stopped now, and whether it can be begun again. */
  can_abort: z.boolean(),
  can_retry: z.boolean(),
});
export type Task = z.infer<typeof task>;
