import { MEMBER_RULES, type WorkspaceRole } from '../../contract/permissions.ts';
import type { Viewer } from '../access/visible.ts';
import type { Principal } from '../core.ts';
import type { Catalog } from '../ports/catalog.ts';
import { CacheUntilCommit } from './cache-until-commit.ts';

/** SQL order of memberships, joined with their workspaces: memberships of the same time are ordered by the age of their workspaces. */
export const BY_JOINING = 'workspace_member.created_at, workspace.created_at, workspace.rowid';

/** Whether users are active, and which roles they have in workspaces. */
export class Memberships {
  readonly #catalog: Catalog;
  readonly #cached: CacheUntilCommit<ReadonlyMap<string, WorkspaceRole>>;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    this.#cached = new CacheUntilCommit(catalog);
  }

  /** Roles by workspace id, in the order in which the user joined. */
  of(userId: string): ReadonlyMap<string, WorkspaceRole> {
    const known = this.#cached.get(userId);
    if (known) return known;
    const rows = this.#catalog.all<{ workspace_id: string; role: WorkspaceRole }>(
      `SELECT workspace_id, role FROM workspace_member JOIN workspace USING (workspace_id)
       WHERE user_id = :user_id ORDER BY ${BY_JOINING}`,
      { user_id: userId },
    );
    const roles = new Map(rows.map(({ workspace_id, role }) => [workspace_id, role]));
    this.#cached.set(userId, roles);
    return roles;
  }

  /** Whether the account exists and is enabled. */
  isActive(userId: string): boolean {
    const active = `SELECT 1 FROM user LEFT JOIN idp_user USING (idp_user_id)
      WHERE user_id = :user_id AND (user.idp_user_id IS NULL OR enabled = 1)`;
    return this.#catalog.find(active, { user_id: userId }) !== undefined;
  }

  /** User ids of the active admins of a workspace. */
  listAdmins(workspaceId: string): string[] {
    const rows = this.#catalog.all<{ user_id: string }>(
      `SELECT user_id FROM workspace_member WHERE workspace_id = :workspace_id AND role = 'admin'`,
      { workspace_id: workspaceId },
    );
    return rows.map(({ user_id }) => user_id).filter((userId) => this.isActive(userId));
  }

  /**
   * The default workspace of a user's new datasets: their own if they may create datasets there, else the first other one where they may.
   */
  homeOf({ user_id, is_local_owner, workspace_id }: Principal): string | undefined {
    if (is_local_owner) return workspace_id ?? undefined;
    const roles = this.of(user_id);
    const mayCreateIn = (id: string) => {
      const role = roles.get(id);
      return role !== undefined && MEMBER_RULES[role].includes('datasets:create');
    };
    return [...(workspace_id === null ? [] : [workspace_id]), ...roles.keys()].find(mayCreateIn);
  }

  /** The role of a user in a workspace. The local owner is an admin in every workspace. */
  roleIn(workspaceId: string, { user_id, is_local_owner }: Viewer): WorkspaceRole | undefined {
    if (is_local_owner) return 'admin';
    return this.#catalog.find<{ role: WorkspaceRole }>(
      'SELECT role FROM workspace_member WHERE workspace_id = :workspace_id AND user_id = :user_id',
      { workspace_id: workspaceId, user_id },
    )?.role;
  }
}
