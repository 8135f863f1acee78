import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Permission, PermissionScope, WorkspacePermission } from '../../contract/permissions.ts';
import type { Memberships } from '../accounts/memberships.ts';
import type { ServiceMode } from '../accounts/service-mode.ts';
import type { WorkspaceService } from '../accounts/workspace.service.ts';
import type { CallContext, Principal } from '../core.ts';
import type { DatasetCatalog } from '../datasets/dataset-catalog.ts';
import { type DatasetListRow, isNeverIndexed } from '../datasets/dataset-row.ts';
import type { TaskService } from '../tasks/task.service.ts';
import type { TaskListRow } from '../tasks/task-row.ts';
import type { AuthorisedContext, WorkspaceContext } from './contexts.ts';
import type { DatasetRoles } from './dataset-roles.ts';
import {
  assertMayInService,
  assertMayInWorkspace,
  assertMayOnDataset,
  assertPasswordIsOwn,
  mayInService,
} from './rules.ts';

/** Input field with the id of the dataset, task or workspace that a permission applies to. */
export const SUBJECT_FIELDS: Readonly<Partial<Record<PermissionScope, string>>> = {
  workspace: 'workspace_id',
  dataset: 'dataset_id',
  image: 'image_id',
  task: 'task_id',
};

export interface AccessParts {
  mode: ServiceMode;
  datasets: DatasetCatalog;
  tasks: TaskService;
  roles: DatasetRoles;
  memberships: Memberships;
  workspaces: WorkspaceService;
}

/**
 * Access control: finds the dataset, task or workspace of a call, checks the operation's permission, and passes the row to the handler.
 * Throws `not_found` for objects that the caller may not see, and `forbidden` for operations that the caller may not run on a visible
 * object.
 */
export class AccessService {
  readonly #parts: AccessParts;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /**
   * Checks one call and returns the context for its handler.
   * @param subject The id in the input field named by {@link SUBJECT_FIELDS}; optional only for a workspace.
   */
  async authorise(
    permission: Permission,
    subject: string | undefined,
    context: CallContext,
  ): Promise<AuthorisedContext> {
    const { mode, datasets } = this.#parts;
    const { principal } = context;
    assertPasswordIsOwn(principal, permission);
    switch (permission) {
      case 'dataset:view':
      case 'dataset:edit':
      case 'dataset:export':
      case 'dataset:own': {
        const dataset = datasets.getRow(subject ?? '');
        assertMayOnDataset(this.#parts.roles.of(principal)(dataset), permission);
        return { ...context, dataset };
      }
      case 'image:view':
        return { ...context, dataset: await this.#datasetOfImage(context, subject ?? '') };
      case 'task:control':
        return { ...context, task: this.#controllableTask(context, subject ?? '') };
      case 'workspace:view':
      case 'workspace:manage':
        return this.#inWorkspace(context, permission, subject ?? principal.workspace_id);
      case 'datasets:create':
        return this.#inWorkspace(context, permission, subject ?? this.#homeOf(principal));
      case 'users:view':
      case 'users:manage':
        if (!mode.user_management) throw new AppError('forbidden', message('user_management_off'));
        assertMayInService(principal, permission);
        return context;
      default:
        assertMayInService(principal, permission);
        return context;
    }
  }

  /** @throws AppError `forbidden` if the caller may not create datasets in any workspace. */
  #homeOf(principal: Principal): string {
    const home = this.#parts.memberships.homeOf(principal);
    if (home === undefined) throw new AppError('forbidden', message('no_workspace_for_datasets'));
    return home;
  }

  #inWorkspace(context: CallContext, permission: WorkspacePermission, workspaceId: string | null): WorkspaceContext {
    const workspace = this.#parts.workspaces.getRow(workspaceId);
    const role = this.#parts.memberships.roleIn(workspace.workspace_id, context.principal);
    assertMayInWorkspace(role, permission);
    return { ...context, workspace, role };
  }

  /** An image may be in several datasets, because copies keep the ids of their items. */
  async #datasetOfImage(context: CallContext, imageId: string): Promise<DatasetListRow> {
    const { datasets } = this.#parts;
    for (const row of datasets.listByItemId(context.principal, imageId)) {
      if (!isNeverIndexed(row) && (await datasets.storeOf(row).items.find(imageId))) return row;
    }
    throw new AppError('not_found', message('image_not_found'));
  }

  #controllableTask({ principal }: CallContext, taskId: string): TaskListRow {
    const { tasks, datasets, roles } = this.#parts;
    const task = tasks.getRow(taskId);
    if (task.dataset_id === null) {
      if (!mayInService(principal, 'settings:manage')) throw new AppError('not_found', message('task_not_found'));
      return task;
    }
    const role = roles.of(principal)(datasets.getRow(task.dataset_id));
    if (!role) throw new AppError('not_found', message('task_not_found'));
    assertMayOnDataset(role, 'dataset:edit');
    return task;
  }
}
