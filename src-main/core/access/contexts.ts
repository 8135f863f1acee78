import type { PERMISSION_SCOPES, Permission, WorkspaceRole } from '../../contract/permissions.ts';
import type { WorkspaceRow } from '../accounts/workspace-row.ts';
import type { CallContext } from '../core.ts';
import type { DatasetListRow } from '../datasets/dataset-row.ts';
import type { TaskListRow } from '../tasks/task-row.ts';

/** A call about a dataset on which the caller may do what the operation does. */
export interface DatasetContext extends CallContext {
  dataset: DatasetListRow;
}

/** The same for a task. */
export interface TaskContext extends CallContext {
  task: TaskListRow;
}

/** The same for a workspace, and what the caller is in it. */
export interface WorkspaceContext extends CallContext {
  workspace: WorkspaceRow;
  role: WorkspaceRole;
}

/** What handlers get, by what the permission of their operation is about. */
interface ScopedContexts {
  service: CallContext;
  workspace: WorkspaceContext;
  dataset: DatasetContext;
  image: DatasetContext;
  task: TaskContext;
}
export type ContextOf<P extends Permission> = ScopedContexts[(typeof PERMISSION_SCOPES)[P]];

/** What comes of checking a call. */
export type AuthorisedContext = ScopedContexts[keyof ScopedContexts];
