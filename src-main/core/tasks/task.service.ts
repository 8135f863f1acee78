import { AppError } from '../../contract/errors.ts';
import { formatMessage, type Message, message, readMessage } from '../../contract/messages.ts';
import type { DatasetStatus } from '../../contract/schemas/dataset.ts';
import { INTERFACE_TASK_TYPES, type Task, type TaskType } from '../../contract/schemas/task.ts';
import type { TaskContext } from '../access/contexts.ts';
import { mayInService } from '../access/rules.ts';
import type { CallContext, Principal } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import { BLOCKED_BY, type BlockableOperation, blockedMessage, blockingTask, type Holder } from './conflicts.ts';
import { locksOf, STOPPED, type TaskDefinition } from './define-task.ts';
import type { TaskQuery, TaskRepository } from './task.repository.ts';
import type { LockMode, TaskListRow } from './task-row.ts';
import type { TaskRunner } from './task-runner.ts';

interface ListInput {
  dataset_id?: string | undefined;
  dataset_name?: string | undefined;
  task_type?: string | undefined;
  task_status?: string | undefined;
  created_by?: string | undefined;
  start_time_from?: string | undefined;
  start_time_to?: string | undefined;
  with_service: boolean;
  sort_by: 'start_time' | 'status' | 'task_type' | 'dataset_name' | 'dataset_id' | 'created_by';
  sort_order: 'asc' | 'desc';
  page: number;
  page_size: number;
}

/** A lock on a dataset that is held without a task. */
interface Hold {
  task_type: Holder;
  mode: LockMode;
}

/** The task manager: interface 4.11, and the API by which other parts of the core start tasks. */
export class TaskService {
  readonly #tasks: TaskRepository;
  readonly #runner: TaskRunner;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #maxPerUser: () => number;
  readonly #holds = new Map<string, Hold[]>();

  /** The operations that this service handles. */
  readonly handlers = {
    list_tasks: (context, input) => this.list(context, input),
    list_task_filters: (context, input) => this.listFilters(context, input),
    get_task_pause: () => ({ paused: this.#runner.isPaused }),
    pause_tasks: (_context, { paused }) => this.pause(paused),
    abort_task: (context) => this.abort(context),
    retry_task: (context) => this.retry(context),
  } satisfies SomeHandlers;

  /** @param maxPerUser Returns the maximum number of open tasks that one account has started. */
  constructor(tasks: TaskRepository, runner: TaskRunner, clock: Clock, ids: Ids, maxPerUser: () => number) {
    this.#tasks = tasks;
    this.#runner = runner;
    this.#clock = clock;
    this.#ids = ids;
    this.#maxPerUser = maxPerUser;
  }

  /**
   * Queues a task; joins the caller's transaction, which also changes the dataset's status. Call {@link wake} after the commit.
   * @param startedBy The caller; or the address of the user in whose name the service starts the task by itself, without a limit.
   * @throws AppError `conflict` if another task writes to one of the datasets; as {@link assertRoom}.
   */
  start<Input, Checkpoint>(
    definition: TaskDefinition<Input, Checkpoint>,
    datasetId: string | null,
    input: Input,
    startedBy: Principal | string,
    taskId = this.#ids.uuid(),
  ): string {
    if (typeof startedBy !== 'string') this.assertRoom(startedBy);
    this.#tasks.insert(
      {
        task_id: taskId,
        dataset_id: datasetId,
        task_type: definition.type,
        created_by: typeof startedBy === 'string' ? startedBy : startedBy.email,
        input: JSON.stringify(input),
        start_time: this.#clock.iso(),
      },
      locksOf(definition, datasetId, input),
    );
    return taskId;
  }

  /**
   * Checks that an account may start tasks, so that no account fills the queues of a shared server. The local owner has no limit.
   * @throws AppError `too_many_requests` if the account would have more than the maximum number of open tasks (`TASKS_PER_USER`).
   */
  assertRoom({ email, is_local_owner }: Pick<Principal, 'email' | 'is_local_owner'>, nTasks = 1): void {
    if (is_local_owner) return;
    const count = this.#tasks.countOpenOf(email);
    const limit = this.#maxPerUser();
    if (count + nTasks > limit) throw new AppError('too_many_requests', message('too_many_tasks', { count, limit }));
  }

  wake(): void {
    this.#runner.wake();
  }

  /** Aborts a task and waits until it no longer runs. */
  async stop(taskId: string): Promise<void> {
    this.#runner.abort(this.getRow(taskId));
    await this.#runner.whenEnded(taskId);
  }

  /** Ends the open tasks of the given types on a dataset, and waits until they no longer run. */
  async stopOpen(types: readonly TaskType[], datasetId: string): Promise<void> {
    const open = this.#tasks.listOpen(types, datasetId);
    for (const row of open) this.#runner.abort(row);
    await Promise.all(open.map(({ task_id }) => this.#runner.whenEnded(task_id)));
  }

  /** The input of an open task of a type on a dataset; undefined if none is open. */
  findOpenInput(type: TaskType, datasetId: string): unknown {
    const [row] = this.#tasks.listOpen([type], datasetId);
    return row && JSON.parse(row.input);
  }

  /** A number that changes when a writing task that blocks the operation is queued on a dataset. */
  latestBlocker(operation: BlockableOperation, datasetId: string): number {
    return this.#tasks.latestPlace(BLOCKED_BY[operation].exclusive, datasetId);
  }

  /** Whether a task of the dataset runs in this process. */
  isRunning(datasetId: string): boolean {
    return this.#runner.isRunning(datasetId);
  }

  /** Interrupts the running tasks of a dataset and waits until they have ended. */
  stopDataset(datasetId: string): Promise<void> {
    return this.#runner.stopDataset(datasetId);
  }

  isBlocked(operation: BlockableOperation, datasetId: string): boolean {
    return blockingTask(operation, this.#locks(datasetId)) !== undefined;
  }

  /** Whether an open task of the type writes to the dataset. */
  isWriting(type: TaskType, datasetId: string): boolean {
    return this.#tasks.listLocks(datasetId).some(({ task_type, mode }) => task_type === type && mode === 'exclusive');
  }

  /** For types that allow only one open task. @throws AppError `conflict` if one is open. */
  assertNoneOpen(type: TaskType): void {
    if (this.#tasks.isOpen(type)) throw new AppError('conflict', message('other_task_running', { type }));
  }

  /** Id of the task of a type that waits on a dataset; undefined if none. */
  findWaiting(type: TaskType, datasetId: string): string | undefined {
    return this.#tasks.findWaitingOn(type, datasetId);
  }

  /** The newest task of a type, with its input and checkpoint. */
  findLatest(type: TaskType): { task: Task; input: unknown; checkpoint: unknown } | undefined {
    const row = this.#tasks.findLatest(type);
    return row && { task: this.#present(row), input: JSON.parse(row.input), checkpoint: JSON.parse(row.checkpoint) };
  }

  /** The result of a task: `open` while it has not ended. */
  outcomeOf(taskId: string): 'open' | 'done' | 'failed' {
    const status = this.#tasks.find(taskId)?.status;
    if (status === 'INITIALIZING' || status === 'RUNNING') return 'open';
    return status === 'COMPLETED' ? 'done' : 'failed';
  }

  /** The reason why a task failed or was aborted; undefined for other tasks. */
  whyEnded(taskId: string): Message | undefined {
    const row = this.#tasks.find(taskId);
    if (row?.status === 'ABORTED') return STOPPED;
    return row?.error_message == null ? undefined : readMessage(row.error_message);
  }

  /** @throws AppError `conflict` if an open task blocks the operation. */
  assertNotBlocked(operation: BlockableOperation, datasetId: string): void {
    const blocker = blockingTask(operation, this.#locks(datasetId));
    if (blocker) throw new AppError('conflict', blockedMessage(operation, blocker));
  }

  /**
   * Runs asynchronous work while holding a lock on a dataset, so that no conflicting task or operation can start meanwhile.
   * @throws AppError `conflict` if the operation is blocked now.
   */
  async holding<T>(operation: BlockableOperation, datasetId: string, hold: Hold, work: () => Promise<T>): Promise<T> {
    this.assertNotBlocked(operation, datasetId);
    this.#holds.set(datasetId, [...(this.#holds.get(datasetId) ?? []), hold]);
    try {
      return await work();
    } finally {
      const left = (this.#holds.get(datasetId) ?? []).filter((other) => other !== hold);
      if (left.length > 0) this.#holds.set(datasetId, left);
      else this.#holds.delete(datasetId);
    }
  }

  /** Whether a task with the id exists, open or ended. */
  wasStarted(taskId: string): boolean {
    return this.#tasks.find(taskId) !== undefined;
  }

  /** An open task; undefined if the task has ended or does not exist. */
  findOpen(taskId: string): TaskListRow | undefined {
    return this.outcomeOf(taskId) === 'open' ? this.getRow(taskId) : undefined;
  }

  /** Inputs of the open tasks of a type. */
  listOpenInputs(type: TaskType): unknown[] {
    return this.#tasks.listOpenInputs(type).map((input) => JSON.parse(input));
  }

  /** @throws AppError `not_found`. */
  getRow(taskId: string): TaskListRow {
    const row = this.#tasks.find(taskId);
    if (!row) throw new AppError('not_found', message('task_not_found'));
    return row;
  }

  list(context: CallContext, input: ListInput): { tasks: Task[]; total: number; page: number; page_size: number } {
    const { page, page_size } = input;
    const { rows, total } = this.#tasks.list(
      // A request for a specific type includes tasks without a dataset.
      { ...input, ...visibleTo(context, input.with_service || input.task_type !== undefined) },
      { by: input.sort_by, order: input.sort_order, offset: (page - 1) * page_size, limit: page_size },
    );
    return { tasks: rows.map((row) => this.#present(row)), total, page, page_size };
  }

  listFilters(
    context: CallContext,
    input: { start_time_from?: string | undefined; start_time_to?: string | undefined; with_service: boolean },
  ) {
    const rows = this.#tasks.listDistinct({ ...input, ...visibleTo(context, input.with_service) });
    const distinct = <T>(values: T[]) => [...new Set(values)];
    return {
      dataset_names: distinct(rows.flatMap((row) => row.dataset_name ?? [])),
      dataset_ids: distinct(rows.flatMap((row) => row.dataset_id ?? [])),
      task_types: distinct(rows.map((row) => row.task_type)),
      created_by: distinct(rows.map((row) => row.created_by)),
      datasets: [...new Map(rows.map(({ dataset_id, dataset_name }) => [dataset_id, dataset_name]))].flatMap(
        ([id, name]) => (id === null || name === null ? [] : [{ id, name }]),
      ),
    };
  }

  /** Pauses or resumes long tasks. Resolves when paused tasks have stopped. */
  async pause(paused: boolean): Promise<{ paused: boolean }> {
    if (paused) await this.#runner.pause();
    else this.#runner.resume();
    return { paused: this.#runner.isPaused };
  }

  abort({ task: row }: TaskContext): Task {
    this.#runner.abort(row);
    return this.#present(this.getRow(row.task_id));
  }

  retry({ task: row, principal }: TaskContext): Task {
    this.assertRoom(principal);
    this.#runner.retry(row);
    const answer = this.#present(this.getRow(row.task_id));
    this.#runner.wake();
    return answer;
  }

  #locks(datasetId: string): Hold[] {
    return [...this.#tasks.listLocks(datasetId), ...(this.#holds.get(datasetId) ?? [])];
  }

  #present(row: TaskListRow): Task {
    const meter = this.#runner.meterOf(row.task_id);
    const running = row.status === 'RUNNING';
    const failure = row.error_message === null ? null : readMessage(row.error_message);
    const outcome = readMessage(row.status_message);
    const step = row.step === '' ? null : readMessage(row.step);
    return {
      task_id: row.task_id,
      dataset_id: row.dataset_id ?? '',
      dataset_name: row.dataset_name ?? '',
      dataset_status: taskDatasetStatus(row.dataset_status),
      created_by: row.created_by,
      task_type: row.task_type,
      status: row.status,
      status_message: formatMessage(outcome),
      outcome,
      progress_percentage: row.progress_percentage,
      error_message: failure && formatMessage(failure),
      failure,
      start_time: row.start_time,
      end_time: row.end_time,
      step: step === null ? '' : formatMessage(step),
      step_message: step,
      done: (running ? meter?.done : undefined) ?? row.done,
      total: (running ? meter?.total : undefined) ?? row.total,
      unit: (running ? meter?.unit : undefined) ?? 'items',
      items_per_s: running ? (meter?.itemsPerS ?? null) : null,
      time_left_s: running ? (meter?.timeLeftS ?? null) : null,
      ...this.#runner.controlsOf(row),
    };
  }
}

/** Tasks without a dataset are visible to users who may manage the service; other users see only types that the interface defines. */
function visibleTo(
  { principal }: CallContext,
  withService: boolean,
): Pick<TaskQuery, 'viewer' | 'of_service' | 'task_types'> {
  if (!withService) return { viewer: principal, of_service: false, task_types: INTERFACE_TASK_TYPES };
  return { viewer: principal, of_service: mayInService(principal, 'settings:manage') };
}

/** Maps a dataset's status to the three values that tasks report. */
function taskDatasetStatus(status: DatasetStatus | null): Task['dataset_status'] {
  if (status === 'PARTIAL INDEX') return 'PARTIAL_INDEX';
  return status === 'READY' || status === null ? 'READY' : 'READ_ONLY';
}
