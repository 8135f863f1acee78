import { AppError } from '../../contract/errors.ts';
import { type Message, message, storeMessage } from '../../contract/messages.ts';
import type { TaskType } from '../../contract/schemas/task.ts';
import { isVisibleTo, type Viewer } from '../access/visible.ts';
import type { Catalog, Sql } from '../ports/catalog.ts';
import type { LockMode, TaskListRow, TaskLock, TaskRow } from './task-row.ts';

export interface TaskQuery {
  /** The user whose visible datasets are included. */
  viewer: Viewer;
  /** Whether tasks without a dataset are included. */
  of_service: boolean;
  /** Default: all types. */
  task_types?: readonly TaskType[] | undefined;
  dataset_id?: string | undefined;
  dataset_name?: string | undefined;
  task_type?: string | undefined;
  task_status?: string | undefined;
  created_by?: string | undefined;
  start_time_from?: string | undefined;
  start_time_to?: string | undefined;
}

const SORT_COLUMNS = {
  // Queue positions, which give the order of creation even if the clock was changed.
  start_time: 'task.place',
  status: 'task.status',
  task_type: 'task.task_type',
  dataset_name: 'dataset.display_name',
  dataset_id: 'task.dataset_id',
  created_by: 'task.created_by',
} as const;

const SELECT = `SELECT task.*, dataset.display_name AS dataset_name, dataset.status_new AS dataset_status
  FROM task LEFT JOIN dataset USING (dataset_id)`;

const WAITING = storeMessage(message('task_waiting'));
const STARTING = storeMessage(message('task_starting'));

/** SQL: the queue position of a new task, behind all others. */
const NEXT_PLACE = '(SELECT coalesce(max(place), 0) + 1 FROM task)';

/** Task rows: the authoritative state of slow work. */
export class TaskRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** @throws AppError `conflict` if another task writes to one of the datasets. */
  insert(
    row: Pick<TaskRow, 'task_id' | 'dataset_id' | 'task_type' | 'created_by' | 'input' | 'start_time'>,
    locks: readonly TaskLock[],
  ): void {
    this.#catalog.run(
      `INSERT INTO task (task_id, dataset_id, task_type, status, status_message, error_message, created_by, input, checkpoint, attempts,
         step, done, total, progress_percentage, start_time, end_time, place)
       VALUES (:task_id, :dataset_id, :task_type, 'INITIALIZING', :waiting, NULL, :created_by, :input, '{}', 0,
         '', 0, NULL, 0, :start_time, NULL, ${NEXT_PLACE})`,
      { ...row, waiting: WAITING },
    );
    this.#hold(row.task_id, locks);
  }

  #hold(taskId: string, locks: readonly TaskLock[]): void {
    for (const { dataset_id, mode } of locks) {
      const { changes } = this.#catalog.run(
        `INSERT INTO task_lock SELECT :task_id, :dataset_id, :mode WHERE NOT EXISTS (
           SELECT 1 FROM task_lock WHERE dataset_id = :dataset_id AND 'exclusive' IN (mode, :mode) AND 'kept' NOT IN (mode, :mode))`,
        { task_id: taskId, dataset_id, mode },
      );
      if (changes === 0) throw new AppError('conflict', message('other_operation_running'));
    }
  }

  find(taskId: string): TaskListRow | undefined {
    return this.#catalog.find<TaskListRow>(`${SELECT} WHERE task_id = :task_id`, { task_id: taskId });
  }

  /** The oldest waiting task of the given types, without the excepted task ids. */
  findWaiting(types: readonly TaskType[], except: readonly string[]): TaskRow | undefined {
    return this.#catalog.find<TaskRow>(
      `SELECT * FROM task WHERE status = 'INITIALIZING' AND task_type IN (SELECT value FROM json_each(:types))
         AND task_id NOT IN (SELECT value FROM json_each(:except))
       ORDER BY place, rowid LIMIT 1`,
      { types: JSON.stringify(types), except: JSON.stringify(except) },
    );
  }

  /** Id of the task of a type that waits on a dataset; undefined if none. */
  findWaitingOn(type: TaskType, datasetId: string): string | undefined {
    return this.#catalog.find<Pick<TaskRow, 'task_id'>>(
      `SELECT task_id FROM task WHERE dataset_id = :dataset_id AND task_type = :type AND status = 'INITIALIZING'`,
      { dataset_id: datasetId, type },
    )?.task_id;
  }

  /** Tasks that a crash or quit interrupted. Call before any task is started. */
  listCutOff(): TaskRow[] {
    return this.#catalog.all<TaskRow>(`SELECT * FROM task WHERE status = 'RUNNING' ORDER BY place, rowid`);
  }

  /** Whether a task of the type is waiting or running. */
  isOpen(type: TaskType): boolean {
    const open = `SELECT 1 FROM task WHERE task_type = :type AND status IN ('INITIALIZING', 'RUNNING')`;
    return this.#catalog.find(open, { type }) !== undefined;
  }

  countByStatus(): { type: string; status: string; count: number }[] {
    return this.#catalog.all(
      'SELECT task_type AS type, status, count(*) AS count FROM task GROUP BY task_type, status',
    );
  }

  /** Number of open tasks of a user, without those that the service queues by itself after others. */
  countOpenOf(createdBy: string): number {
    const counted = this.#catalog.find<{ n: number }>(
      `SELECT count(*) AS n FROM task WHERE created_by = :created_by AND status IN ('INITIALIZING', 'RUNNING')
         AND task_type NOT IN ('DUPLICATE_DETECTION', 'PROJECTION')`,
      { created_by: createdBy },
    );
    return counted?.n ?? 0;
  }

  listOpenInputs(type: TaskType): string[] {
    return this.#catalog
      .all<Pick<TaskRow, 'input'>>(
        `SELECT input FROM task WHERE task_type = :type AND status IN ('INITIALIZING', 'RUNNING')`,
        { type },
      )
      .map(({ input }) => input);
  }

  /** The newest task of a type. */
  findLatest(type: TaskType): TaskListRow | undefined {
    return this.#catalog.find<TaskListRow>(
      `${SELECT} WHERE task_type = :type ORDER BY task.place DESC, task.rowid DESC LIMIT 1`,
      { type },
    );
  }

  /** The locks that open tasks hold on a dataset. */
  listLocks(datasetId: string): { task_type: TaskType; mode: LockMode }[] {
    return this.#catalog.all(
      `SELECT task_type, mode FROM task_lock JOIN task USING (task_id) WHERE task_lock.dataset_id = :dataset_id`,
      { dataset_id: datasetId },
    );
  }

  /** Open tasks of the given types on a dataset. */
  listOpen(types: readonly TaskType[], datasetId: string): TaskRow[] {
    return this.#catalog.all<TaskRow>(
      `SELECT * FROM task WHERE dataset_id = :dataset_id AND task_type IN (SELECT value FROM json_each(:types))
         AND status IN ('INITIALIZING', 'RUNNING') ORDER BY place`,
      { dataset_id: datasetId, types: JSON.stringify(types) },
    );
  }

  /** Queue position of the newest task of the given types on a dataset; 0 if there is none. */
  latestPlace(types: readonly string[], datasetId: string): number {
    const latest = this.#catalog.find<{ place: number }>(
      `SELECT coalesce(max(place), 0) AS place FROM task
       WHERE dataset_id = :dataset_id AND task_type IN (SELECT value FROM json_each(:types))`,
      { dataset_id: datasetId, types: JSON.stringify(types) },
    );
    return latest?.place ?? 0;
  }

  markRunning(taskId: string): void {
    this.#catalog.run(
      `UPDATE task SET status = 'RUNNING', status_message = :starting, attempts = attempts + 1 WHERE task_id = :task_id`,
      { task_id: taskId, starting: STARTING },
    );
  }

  /** Removes runs from the count of attempts that end because the app closes. */
  uncountRuns(taskIds: readonly string[]): void {
    this.#catalog.run(
      'UPDATE task SET attempts = max(0, attempts - 1) WHERE task_id IN (SELECT value FROM json_each(:task_ids))',
      { task_ids: JSON.stringify(taskIds) },
    );
  }

  /** Records that a run saved progress: earlier runs no longer count as attempts. */
  noteSaved(taskId: string): void {
    this.#catalog.run('UPDATE task SET attempts = 1 WHERE task_id = :task_id', { task_id: taskId });
  }

  /** Records the failure of a task that is about to be undone. */
  noteFailure(taskId: string, reason: Message): void {
    this.#catalog.run(
      `UPDATE task SET error_message = :reason WHERE task_id = :task_id AND status IN ('INITIALIZING', 'RUNNING')`,
      { task_id: taskId, reason: storeMessage(reason) },
    );
  }

  /** Queues an ended task again. @throws AppError `conflict` if another task writes to one of the datasets. */
  markRetried(
    taskId: string,
    retry: { checkpoint: 'keep' | 'reset'; start_time: string },
    locks: readonly TaskLock[],
  ): void {
    this.#catalog.run(
      `UPDATE task SET status = 'INITIALIZING', status_message = :waiting, error_message = NULL, end_time = NULL,
         attempts = 0, checkpoint = iif(:reset, '{}', checkpoint), start_time = :start_time, place = ${NEXT_PLACE} WHERE task_id = :task_id`,
      { task_id: taskId, waiting: WAITING, reset: retry.checkpoint === 'reset' ? 1 : 0, start_time: retry.start_time },
    );
    this.#hold(taskId, locks);
  }

  saveProgress(
    taskId: string,
    progress: {
      step: Message;
      done: number;
      total: number | null;
      percentage: number;
      message: Message;
    },
  ): void {
    this.#catalog.run(
      `UPDATE task SET step = :step, done = :done, total = :total, progress_percentage = :percentage, status_message = :message
       WHERE task_id = :task_id AND status = 'RUNNING'`,
      { task_id: taskId, ...progress, step: storeMessage(progress.step), message: storeMessage(progress.message) },
    );
  }

  saveCheckpoint(taskId: string, checkpoint: string): void {
    this.#catalog.run('UPDATE task SET checkpoint = :checkpoint, attempts = 1 WHERE task_id = :task_id', {
      task_id: taskId,
      checkpoint,
    });
  }

  /** Ends an open task and releases its locks; joins the caller's transaction. @returns False if the task had already ended. */
  finish(
    taskId: string,
    end: {
      status: 'COMPLETED' | 'FAILED' | 'ABORTED';
      message: Message;
      error: Message | null;
      end_time: string;
    },
  ): boolean {
    const { changes } = this.#catalog.run(
      `UPDATE task SET status = :status, status_message = :message, error_message = :error, end_time = :end_time,
         progress_percentage = CASE WHEN :status = 'COMPLETED' THEN 100 ELSE progress_percentage END
       WHERE task_id = :task_id AND status IN ('INITIALIZING', 'RUNNING')`,
      { task_id: taskId, ...end, message: storeMessage(end.message), error: end.error && storeMessage(end.error) },
    );
    this.#catalog.run('DELETE FROM task_lock WHERE task_id = :task_id', { task_id: taskId });
    return changes === 1;
  }

  list(
    query: TaskQuery,
    sort: { by: keyof typeof SORT_COLUMNS; order: 'asc' | 'desc'; offset: number; limit: number },
  ): { rows: TaskListRow[]; total: number } {
    const { visible, filters, parameters } = conditions(query);
    const order = sort.order === 'asc' ? 'ASC' : 'DESC';
    const rows = this.#catalog.all<TaskListRow>(
      `${SELECT} WHERE ${filters} AND ${visible} ORDER BY ${SORT_COLUMNS[sort.by]} ${order}, task.rowid ${order} LIMIT :limit OFFSET :offset`,
      { ...parameters, limit: sort.limit, offset: sort.offset },
    );
    // Checks the visibility of each dataset once, not for each of its tasks.
    const total = this.#catalog.find<{ n: number }>(
      `WITH counted AS MATERIALIZED (SELECT dataset_id, count(*) AS n_tasks FROM task WHERE ${filters} GROUP BY dataset_id)
       SELECT sum(n_tasks) AS n FROM counted AS task WHERE ${visible}`,
      parameters,
    );
    return { rows, total: total?.n ?? 0 };
  }

  listDistinct(query: TaskQuery): Pick<TaskListRow, 'dataset_id' | 'dataset_name' | 'task_type' | 'created_by'>[] {
    const { visible, filters, parameters } = conditions(query);
    return this.#catalog.all(
      `WITH kind AS MATERIALIZED (SELECT DISTINCT dataset_id, task_type, created_by FROM task WHERE ${filters})
       SELECT task.*, dataset.display_name AS dataset_name FROM kind AS task LEFT JOIN dataset USING (dataset_id)
       WHERE ${visible} ORDER BY dataset_name`,
      parameters,
    );
  }
}

/**
 * SQL for visibility, which depends only on the dataset, and for the requested filters. The unary plus prevents an index on a value that
 * many tasks share.
 */
function conditions(query: TaskQuery): { visible: string; filters: string; parameters: Sql } {
  const { viewer } = query;
  const visible = viewer.is_local_owner
    ? 'task.dataset_id IS NOT NULL'
    : `+task.dataset_id IN (SELECT dataset_id FROM dataset WHERE ${isVisibleTo(viewer)})`;
  const clauses: string[] = ['true'];
  const parameters: Sql = { user_id: viewer.user_id, of_service: Number(query.of_service) };
  const add = (name: Exclude<keyof TaskQuery, 'viewer' | 'of_service' | 'task_types'>, clause: string) => {
    const value = query[name];
    if (value === undefined) return;
    clauses.push(clause);
    parameters[name] = value;
  };
  if (query.task_types) {
    clauses.push('+task.task_type IN (SELECT value FROM json_each(:task_types))');
    parameters.task_types = JSON.stringify(query.task_types);
  }
  add('dataset_id', 'task.dataset_id = :dataset_id');
  add(
    'dataset_name',
    'task.dataset_id IN (SELECT dataset_id FROM dataset WHERE instr(lower(display_name), lower(:dataset_name)) > 0)',
  );
  add('task_type', 'task.task_type = :task_type');
  add('task_status', 'task.status = :task_status');
  add('created_by', 'task.created_by = :created_by');
  // All times are ISO 8601 in UTC with milliseconds, so they can be compared as text.
  add('start_time_from', 'task.start_time >= :start_time_from');
  add('start_time_to', 'task.start_time <= :start_time_to');
  return {
    visible: `(${visible} OR (:of_service AND task.dataset_id IS NULL))`,
    filters: clauses.join(' AND '),
    parameters,
  };
}
