import { z } from 'zod';
import { messageSchema } from '../messages.ts';

/** Task types of interface section 3. */
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
  'RESULT_IMPORT',
  'RAY_RUN',
  'MODEL_DOWNLOAD',
  'MODEL_IMPORT',
  'BACKUP',
  'DATASET_RESTORE',
  'DATA_CHECK',
  'DUPLICATE_DETECTION',
  'PROJECTION',
  'WORD_TAGGING',
  'VECTOR_PLACEMENT',
  'EXPORT',
] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** Task types that do not restrict the use of their dataset. */
export const BACKGROUND_TASKS: readonly TaskType[] = [
  'DUPLICATE_DETECTION',
  'PROJECTION',
  'WORD_TAGGING',
  'VECTOR_PLACEMENT',
  'EXPORT',
  'RAY_RUN',
];

export const TASK_STATUSES = ['INITIALIZING', 'RUNNING', 'COMPLETED', 'FAILED', 'ABORTED'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Units of progress. */
const PROGRESS_UNITS = ['items', 'percent', 'megabytes'] as const;
export type ProgressUnit = (typeof PROGRESS_UNITS)[number];

export const task = z.object({
  task_id: z.string(),
  /** Both empty for tasks without a dataset, such as downloading a model. */
  dataset_id: z.string(),
  dataset_name: z.string(),
  /** State of the dataset; `READ_ONLY` stands for every status except the two others. */
  dataset_status: z.enum(['READY', 'READ_ONLY', 'PARTIAL_INDEX']),
  created_by: z.string(),
  task_type: z.enum(TASK_TYPES),
  status: z.enum(TASK_STATUSES),
  status_message: z.string(),
  /** Ours: the same as data. */
  outcome: messageSchema,
  progress_percentage: z.int().min(0).max(100).nullable(),
  error_message: z.string().nullable(),
  /** Ours: the same as data. */
  failure: messageSchema.nullable(),
  start_time: z.string(),
  end_time: z.string().nullable(),
  /** Current step; empty before the first one. */
  step: z.string(),
  /** Ours: the same as data; null before the first step. */
  step_message: messageSchema.nullable(),
  /** Progress of the current step; `total` is null while unknown. */
  done: z.int(),
  total: z.int().nullable(),
  unit: z.enum(PROGRESS_UNITS),
  /** Rate over the last seconds; null until known. */
  items_per_s: z.number().nullable(),
  time_left_s: z.number().nullable(),
  /** Ours: whether the task can be aborted now, and whether it can be retried. */
  can_abort: z.boolean(),
  can_retry: z.boolean(),
});
export type Task = z.infer<typeof task>;
