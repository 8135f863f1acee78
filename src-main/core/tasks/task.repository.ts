import type { TaskType } from '../../contract/schemas/task.ts';
import type { Catalog, Sql } from '../../infra/catalog/catalog.ts';
import type { TaskListRow, TaskRow } from './task-row.ts';

export interface TaskQuery {
  owner_id: string;
  dataset_id?: string | undefined;
  dataset_name?: string | undefined;
  task_type?: string | undefined;
  task_status?: string | undefined;
  created_by?: string | undefined;
  start_time_from?: string | undefined;
  start_time_to?: string | undefined;
}

const SORT_COLUMNS = {
  start_time: 'task.start_time',
  status: 'task.status',
  task_type: 'task.task_type',
  dataset_name: 'dataset.display_name',
  dataset_id: 'task.dataset_id',
  created_by: 'task.created_by',
} as const;

const SELECT = `SELECT task.*, dataset.display_name AS dataset_name, dataset.status_new AS dataset_status
  FROM task JOIN dataset USING (dataset_id)`;

/** Task rows: the truth about slow work. */
export class TaskRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  insert(
    row: Pick<TaskRow, 'task_id' | 'dataset_id' | 'task_type' | 'created_by' | 'input' | 'exclusive' | 'start_time'>,
  ): void {
    this.#catalog.run(
      `INSERT INTO task VALUES (:task_id, :dataset_id, :task_type, 'INITIALIZING', 'Waiting to start', NULL, :created_by, :input, '{}', 0,
         :exclusive, '', 0, NULL, 0, :start_time, NULL)`,
      { ...row },
    );
  }

  find(taskId: string): TaskListRow | undefined {
    return this.#catalog.find<TaskListRow>(`${SELECT} WHERE task_id = :task_id`, { task_id: taskId });
  }

  /** The oldest task that waits, leaving out the given ones. */
  findWaiting(except: readonly string[]): TaskRow | undefined {
    return this.#catalog.find<TaskRow>(
      `SELECT * FROM task WHERE status = 'INITIALIZING' AND task_id NOT IN (SELECT value FROM json_each(:except))
       ORDER BY start_time, rowid LIMIT 1`,
      { except: JSON.stringify(except) },
    );
  }

  listRunning(datasetId?: string): TaskRow[] {
    return this.#catalog.all<TaskRow>(
      `SELECT * FROM task WHERE status IN ('INITIALIZING', 'RUNNING') AND (:dataset_id IS NULL OR dataset_id = :dataset_id)`,
      { dataset_id: datasetId ?? null },
    );
  }

  /** Types of the tasks that hold a dataset: those on it, and the enrichments of which it is the source. */
  listTypesHolding(datasetId: string): TaskType[] {
    return this.#catalog
      .all<{ task_type: TaskType }>(
        `SELECT task_type FROM task WHERE status IN ('INITIALIZING', 'RUNNING')
           AND (dataset_id = :dataset_id OR json_extract(input, '$.source_dataset_id') = :dataset_id)`,
        { dataset_id: datasetId },
      )
      .map((row) => row.task_type);
  }

  markRunning(taskId: string): void {
    this.#catalog.run(
      `UPDATE task SET status = 'RUNNING', status_message = 'Starting', attempts = attempts + 1 WHERE task_id = :task_id`,
      { task_id: taskId },
    );
  }

  /** Back in the queue, as a run that was cut off left it, or as a retry that starts to count anew. */
  markWaiting(taskId: string, retry?: { checkpoint: 'keep' | 'reset'; start_time: string }): void {
    this.#catalog.run(
      `UPDATE task SET status = 'INITIALIZING', status_message = 'Waiting to start', error_message = NULL, end_time = NULL,
         attempts = iif(:start_time IS NULL, attempts, 0), checkpoint = iif(:reset, '{}', checkpoint),
         start_time = coalesce(:start_time, start_time) WHERE task_id = :task_id`,
      { task_id: taskId, reset: retry?.checkpoint === 'reset' ? 1 : 0, start_time: retry?.start_time ?? null },
    );
  }

  saveProgress(
    taskId: string,
    progress: { step: string; done: number; total: number | null; percentage: number; message: string },
  ): void {
    this.#catalog.run(
      `UPDATE task SET step = :step, done = :done, total = :total, progress_percentage = :percentage, status_message = :message
       WHERE task_id = :task_id AND status = 'RUNNING'`,
      { task_id: taskId, ...progress },
    );
  }

  saveCheckpoint(taskId: string, checkpoint: string): void {
    this.#catalog.run('UPDATE task SET checkpoint = :checkpoint, attempts = 1 WHERE task_id = :task_id', {
      task_id: taskId,
      checkpoint,
    });
  }

  /** Ends a task that has not ended; returns false when it had. */
  finish(
    taskId: string,
    end: {
      status: 'COMPLETED' | 'FAILED' | 'ABORTED';
      message: string;
      error_message: string | null;
      end_time: string;
    },
  ): boolean {
    return (
      this.#catalog.run(
        `UPDATE task SET status = :status, status_message = :message, error_message = :error_message, end_time = :end_time,
           progress_percentage = CASE WHEN :status = 'COMPLETED' THEN 100 ELSE progress_percentage END
         WHERE task_id = :task_id AND status IN ('INITIALIZING', 'RUNNING')`,
        { task_id: taskId, ...end },
      ).changes === 1
    );
  }

  list(
    query: TaskQuery,
    sort: { by: keyof typeof SORT_COLUMNS; order: 'asc' | 'desc'; offset: number; limit: number },
  ): { rows: TaskListRow[]; total: number } {
    const { where, parameters } = conditions(query);
    const order = sort.order === 'asc' ? 'ASC' : 'DESC';
    const rows = this.#catalog.all<TaskListRow>(
      `${SELECT} WHERE ${where} ORDER BY ${SORT_COLUMNS[sort.by]} ${order}, task.rowid ${order} LIMIT :limit OFFSET :offset`,
      { ...parameters, limit: sort.limit, offset: sort.offset },
    );
    const total = this.#catalog.find<{ n: number }>(
      `SELECT count(*) AS n FROM task JOIN dataset USING (dataset_id) WHERE ${where}`,
      parameters,
    );
    return { rows, total: total?.n ?? 0 };
  }

  listDistinct(query: TaskQuery): Pick<TaskListRow, 'dataset_id' | 'dataset_name' | 'task_type' | 'created_by'>[] {
    const { where, parameters } = conditions(query);
    return this.#catalog.all(
      `SELECT DISTINCT task.dataset_id, dataset.display_name AS dataset_name, task.task_type, task.created_by
       FROM task JOIN dataset USING (dataset_id) WHERE ${where} ORDER BY dataset_name`,
      parameters,
    );
  }
}

function conditions(query: TaskQuery): { where: string; parameters: Sql } {
  const clauses = ['dataset.owner_id = :owner_id'];
  const parameters: Sql = { owner_id: query.owner_id };
  const add = (name: Exclude<keyof TaskQuery, 'owner_id'>, clause: string) => {
    const value = query[name];
    if (value === undefined) return;
    clauses.push(clause);
    parameters[name] = value;
  };
  add('dataset_id', 'task.dataset_id = :dataset_id');
  add('dataset_name', 'instr(lower(dataset.display_name), lower(:dataset_name)) > 0');
  add('task_type', 'task.task_type = :task_type');
  add('task_status', 'task.status = :task_status');
  add('created_by', 'task.created_by = :created_by');
  add('start_time_from', 'datetime(task.start_time) >= datetime(:start_time_from)');
  add('start_time_to', 'datetime(task.start_time) <= datetime(:start_time_to)');
  return { where: clauses.join(' AND '), parameters };
}
