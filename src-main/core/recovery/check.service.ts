import { formatMessage } from '../../contract/messages.ts';
import type { DataCheck } from '../../contract/schemas/recovery.ts';
import type { CallContext } from '../core.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import { type CheckFindings, checkFindings } from './check-data.task.ts';

/** Starts checks of all stored data, one at a time, and returns the results of the latest. */
export class CheckService {
  readonly #tasks: TaskService;
  readonly #task: TaskDefinition<Record<string, never>, CheckFindings>;

  constructor(tasks: TaskService, task: TaskDefinition<Record<string, never>, CheckFindings>) {
    this.#tasks = tasks;
    this.#task = task;
  }

  /** @throws AppError `conflict` while a check runs. */
  start({ principal }: CallContext): { task_id: string } {
    this.#tasks.assertNoneOpen('DATA_CHECK');
    const taskId = this.#tasks.start(this.#task, null, {}, principal.email);
    this.#tasks.wake();
    return { task_id: taskId };
  }

  getLatest(_context: CallContext): { check: DataCheck | null } {
    const latest = this.#tasks.findLatest('DATA_CHECK');
    if (!latest) return { check: null };
    const { n_datasets = 0, n_busy = 0, damaged = [] } = checkFindings.partial().parse(latest.checkpoint);
    const checked = damaged.map((one) => ({ ...one, problems: one.findings.map(formatMessage) }));
    return { check: { task: latest.task, n_datasets, n_busy, damaged: checked } };
  }
}
