import { AppError } from '../../contract/errors.ts';
import type { DatasetRole, Permission } from '../../contract/permissions.ts';
import type { CallContext, Principal } from '../core.ts';
import type { DatasetService } from '../datasets/dataset.service.ts';
import { type DatasetListRow, isNeverIndexed } from '../datasets/dataset-row.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { TaskListRow } from '../tasks/task-row.ts';
import type { AuthorisedContext } from './contexts.ts';
import { assertMayInService, assertMayOnDataset, assertPasswordIsOwn, mayInService } from './rules.ts';
import type { ShareRepository } from './share.repository.ts';

/** Fields of an input that name what a call is about. */
interface Subject {
  dataset_id: string;
  image_id: string;
  task_id: string;
}

/**
 * Who may do what: finds the dataset or task that a call is about, checks the permission of the operation, and hands the row on. What
 * the caller may not see is not there for them (`not_found`); what they may see but not do is `forbidden`.
 */
export class AccessService {
  readonly #datasets: DatasetService;
  readonly #tasks: TaskService;
  readonly #shares: ShareRepository;

  constructor(datasets: DatasetService, tasks: TaskService, shares: ShareRepository) {
    this.#datasets = datasets;
    this.#tasks = tasks;
    this.#shares = shares;
  }

  /** @param input Parsed: it has the field that the scope of the permission needs. */
  async authorise(permission: Permission, input: unknown, context: CallContext): Promise<AuthorisedContext> {
    const { principal } = context;
    assertPasswordIsOwn(principal, permission);
    const subject = input as Subject;
    switch (permission) {
      case 'dataset:view':
      case 'dataset:edit':
      case 'dataset:own': {
        const dataset = this.#datasets.getRow(subject.dataset_id);
        assertMayOnDataset(this.#roleOf(principal, dataset), permission);
        return { ...context, dataset };
      }
      case 'image:view':
        return { ...context, dataset: await this.#datasetOfImage(context, subject.image_id) };
      case 'task:control':
        return { ...context, task: this.#controllableTask(context, subject.task_id) };
      default:
        assertMayInService(principal, permission);
        return context;
    }
  }

  /** Ids are unique across datasets, but only their own store knows them: the caller's datasets are asked in turn. */
  async #datasetOfImage(context: CallContext, imageId: string): Promise<DatasetListRow> {
    for (const row of this.#datasets.listVisible(context)) {
      if (!isNeverIndexed(row) && (await this.#datasets.storeOf(row).read.findItem(imageId))) return row;
    }
    throw new AppError('not_found', 'Image not found');
  }

  #controllableTask({ principal }: CallContext, taskId: string): TaskListRow {
    const task = this.#tasks.getRow(taskId);
    if (task.dataset_id === null) {
      if (!mayInService(principal, 'settings:manage')) throw new AppError('not_found', 'Task not found');
      return task;
    }
    const dataset = this.#datasets.getRow(task.dataset_id);
    const role = this.#roleOf(principal, dataset);
    if (!role) throw new AppError('not_found', 'Task not found');
    assertMayOnDataset(role, 'dataset:edit');
    return task;
  }

  /** What somebody is to a dataset; see also {@link IS_VISIBLE}. */
  #roleOf({ user_id }: Principal, { dataset_id, owner_id }: DatasetListRow): DatasetRole | undefined {
    return owner_id === user_id ? 'owner' : this.#shares.roleOf(dataset_id, user_id);
  }
}
