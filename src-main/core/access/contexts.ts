import type { PERMISSION_SCOPES, Permission, WorkspaceRole } from '../../contract/permissions.ts';
import type { WorkspaceRow } from '../accounts/workspace-row.ts';
import type { CallContext } from '../core.ts';
import type { DatasetListRow } from '../datasets/dataset-row.ts';
import type { TaskListRow } from '../tasks/task-row.ts';

/** Context of a call on a dataset for which the caller has the operation's permission. */
export interface DatasetContext extends CallContext {
  dataset: DatasetListRow;
}

/** Context of a call on a task for which the caller has the operation's permission. */
export interface TaskContext extends CallContext {
  task: TaskListRow;
}

/** Context of a call on a workspace for which the caller has the operation's permission, with the caller's role in the workspace. */
export interface WorkspaceContext extends CallContext {
  workspace: WorkspaceRow;
  role: WorkspaceRole;
}

/** The context that a handler receives, by the scope of its operation's permission. */
interface ScopedContexts {
  service: CallContext;
  workspace: WorkspaceContext;
  dataset: DatasetContext;
  image: DatasetContext;
  task: TaskContext;
}
export type ContextOf<P extends Permission> = ScopedContexts[(typeof PERMISSION_SCOPES)[P]];

/** The result of authorising a call. */
export type AuthorisedContext = ScopedContexts[keyof ScopedContexts];
