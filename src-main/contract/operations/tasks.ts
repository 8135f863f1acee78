import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { TASK_STATUSES, TASK_TYPES, task } from '../schemas/task.ts';

const range = {
  start_time_from: field.blankAsAbsent(field.datetime),
  start_time_to: field.blankAsAbsent(field.datetime),
};

/**
 * Ours: includes task types that the interface does not define, such as finding duplicates or downloading a model. Excluded by default,
 * because clients take the first task of a list for the one that they started.
 */
const withService = field.boolean.default(false);

const taskPause = z.object({ paused: z.boolean() });

/** Interface 4.11. */
export const taskOperations = {
  list_tasks: defineOperation({
    method: 'GET',
    path: '/tasks',
    section: '4.11',
    summary: 'Tasks of all datasets that the caller may see, newest first unless sorted otherwise',
    permission: 'datasets:list',
    input: z.object({
      dataset_id: field.blankAsAbsent(field.uuid),
      dataset_name: field.blankAsAbsent(z.string()),
      task_type: field.blankAsAbsent(z.enum(TASK_TYPES)),
      task_status: field.blankAsAbsent(z.enum(TASK_STATUSES)),
      created_by: field.blankAsAbsent(z.string()),
      ...range,
      with_service: withService,
      sort_by: field.blankAsDefault(
        z.enum(['start_time', 'status', 'task_type', 'dataset_name', 'dataset_id', 'created_by']),
        'start_time',
      ),
      sort_order: field.blankAsDefault(z.enum(['asc', 'desc']), 'desc'),
      page: field.blankAsDefault(field.integer(1, 1_000_000_000), 1),
      page_size: field.blankAsDefault(field.integer(5, 50), 20),
    }),
    output: z.object({ tasks: z.array(task), total: z.int(), page: z.int(), page_size: z.int() }),
  }),
  list_task_filters: defineOperation({
    method: 'GET',
    path: '/tasks/filters',
    section: '4.11',
    summary: 'Values that tasks can be filtered by',
    permission: 'datasets:list',
    input: z.object({ ...range, with_service: withService }),
    output: z.object({
      dataset_names: z.array(z.string()),
      dataset_ids: z.array(z.string()),
      task_types: z.array(z.string()),
      created_by: z.array(z.string()),
      /** Ours: datasets sorted by name. */
      datasets: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  }),
  get_task_pause: defineOperation({
    method: 'GET',
    path: '/tasks/pause',
    section: 'own',
    summary: 'Whether long tasks are paused',
    permission: 'datasets:list',
    input: z.object({}),
    output: taskPause,
  }),
  pause_tasks: defineOperation({
    method: 'POST',
    path: '/tasks/pause',
    section: 'own',
    summary:
      'Pause or resume indexing, enrichment, the search for duplicates and other long tasks; a pause ends with the next start at the latest',
    permission: 'settings:manage',
    body: 'json',
    input: z.object({ paused: field.boolean }),
    output: taskPause,
  }),
  abort_task: defineOperation({
    method: 'POST',
    path: '/tasks/{task_id}/abort',
    section: '4.11',
    summary: 'Abort a dataset creation that has not reached its final commit',
    permission: 'task:control',
    body: 'json',
    input: z.object({ task_id: field.uuid }),
    output: task,
    errors: ['invalid_request', 'not_found', 'conflict'],
  }),
  retry_task: defineOperation({
    method: 'POST',
    path: '/tasks/{task_id}/retry',
    section: '4.11',
    summary:
      'Run a failed or aborted dataset creation, or a failed enrichment, again with the same configuration and media',
    permission: 'task:control',
    body: 'json',
    input: z.object({ task_id: field.uuid }),
    output: task,
    errors: ['invalid_request', 'not_found', 'conflict'],
  }),
};
