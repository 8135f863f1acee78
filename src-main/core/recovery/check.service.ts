import { formatMessage } from '../../contract/messages.ts';
import type { DataCheck } from '../../contract/schemas/recovery.ts';
import type { CallContext } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Clock } from '../ports/clock.ts';
import type { TaskDefinition } from '../tasks/define-task.ts';
import type { TaskService } from '../tasks/task.service.ts';
import { type CheckFindings, type CheckInput, checkFindings } from './check-data.task.ts';

/** Starts checks of all stored data, one at a time, and returns the results of the latest. */
export class CheckService {
  readonly #tasks: TaskService;
  readonly #task: TaskDefinition<CheckInput, CheckFindings>;

  readonly #clock: Clock;

  /** The operations that this service handles. */
  readonly handlers = {
    check_data: (context) => this.start(context),
    get_check: (context) => this.getLatest(context),
  } satisfies SomeHandlers;

  constructor(tasks: TaskService, task: TaskDefinition<CheckInput, CheckFindings>, clock: Clock) {
    this.#tasks = tasks;
    this.#task = task;
    this.#clock = clock;
  }

  /** Starts a check at full speed, in place of one in the background. @throws AppError `conflict` while another runs at full speed. */
  async start({ principal }: CallContext): Promise<{ task_id: string }> {
    const latest = this.#tasks.findLatest('DATA_CHECK');
    if (latest?.task.end_time === null && this.#task.input.parse(latest.input).is_scrub)
      await this.#tasks.stop(latest.task.task_id);
    this.#tasks.assertNoneOpen('DATA_CHECK');
    return { task_id: this.#begin({ is_scrub: false }, principal.email) };
  }

  /** Starts a check in the background, unless a check is open. */
  startScrub(createdBy: string): void {
    const latest = this.#tasks.findLatest('DATA_CHECK');
    if (latest?.task.end_time !== null) this.#begin({ is_scrub: true }, createdBy);
  }

  /**
   * Milliseconds since the latest check ended; 0 while one is open, undefined before the first. A check that failed or was stopped counts as
   * well: it is not started again at once.
   */
  ageMs(): number | undefined {
    const latest = this.#tasks.findLatest('DATA_CHECK');
    if (latest === undefined) return undefined;
    return latest.task.end_time === null ? 0 : this.#clock.now() - Date.parse(latest.task.end_time);
  }

  #begin(input: CheckInput, createdBy: string): string {
    const taskId = this.#tasks.start(this.#task, null, input, createdBy);
    this.#tasks.wake();
    return taskId;
  }

  getLatest(_context: CallContext): { check: DataCheck | null } {
    const latest = this.#tasks.findLatest('DATA_CHECK');
    if (!latest) return { check: null };
    const {
      n_datasets = 0,
      n_busy = 0,
      damaged = [],
      read_bytes = 0,
      backup_id = null,
    } = checkFindings.partial().parse(latest.checkpoint);
    const checked = damaged.map((one) => ({ ...one, problems: one.findings.map(formatMessage) }));
    const { is_scrub } = this.#task.input.parse(latest.input);
    return {
      check: {
        task: latest.task,
        in_background: is_scrub,
        n_datasets,
        n_busy,
        damaged: checked,
        read_bytes,
        backup_id,
      },
    };
  }
}
