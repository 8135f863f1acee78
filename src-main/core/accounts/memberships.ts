import type { WorkspaceRole } from '../../contract/permissions.ts';
import type { Catalog } from '../../infra/catalog/catalog.ts';
import type { Viewer } from '../access/visible.ts';

/** What people are in workspaces. */
export class Memberships {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** By workspace, the first that they became a member of first. */
  of(userId: string): Map<string, WorkspaceRole> {
    const rows = this.#catalog.all<{ workspace_id: string; role: WorkspaceRole }>(
      'SELECT workspace_id, role FROM workspace_member WHERE user_id = :user_id ORDER BY created_at, workspace_id',
      { user_id: userId },
    );
    return new Map(rows.map(({ workspace_id, role }) => [workspace_id, role]));
  }

  /** The local owner is an admin everywhere. */
  roleIn(workspaceId: string, { user_id, is_local_owner }: Viewer): WorkspaceRole | undefined {
    if (is_local_owner) return 'admin';
    return this.#catalog.find<{ role: WorkspaceRole }>(
      'SELECT role FROM workspace_member WHERE workspace_id = :workspace_id AND user_id = :user_id',
      { workspace_id: workspaceId, user_id },
    )?.role;
  }
}
