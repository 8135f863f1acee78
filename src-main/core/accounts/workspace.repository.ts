import type { WorkspaceRole } from '../../contract/permissions.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { MemberRow, OrganizationRow, WorkspaceRow } from './workspace-row.ts';

const MEMBERS = `SELECT user_id, idp_user_id, username, user.email, first_name, last_name, role, workspace_member.created_at
  FROM workspace_member JOIN user USING (user_id) JOIN idp_user USING (idp_user_id) WHERE workspace_id = :workspace_id`;

/** Workspaces, their organizations, and their members. */
export class WorkspaceRepository {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Oldest first. */
  list(): WorkspaceRow[] {
    return this.#catalog.all('SELECT * FROM workspace ORDER BY created_at, rowid');
  }

  find(workspaceId: string): WorkspaceRow | undefined {
    return this.#catalog.find('SELECT * FROM workspace WHERE workspace_id = :workspace_id', {
      workspace_id: workspaceId,
    });
  }

  /** Oldest first. */
  listOrganizations(): OrganizationRow[] {
    return this.#catalog.all('SELECT * FROM organization ORDER BY created_at, rowid');
  }

  insert(row: Pick<WorkspaceRow, 'workspace_id' | 'organization_id' | 'name' | 'created_at'>): void {
    this.#catalog.run('INSERT INTO workspace VALUES (:workspace_id, :organization_id, :name, :created_at, NULL)', {
      ...row,
    });
  }

  /** Ordered by username. */
  listMembers(workspaceId: string): MemberRow[] {
    return this.#catalog.all(`${MEMBERS} ORDER BY username`, { workspace_id: workspaceId });
  }

  listAdmins(workspaceId: string): MemberRow[] {
    return this.#catalog.all(`${MEMBERS} AND role = 'admin'`, { workspace_id: workspaceId });
  }

  /** @param id Id of the account or of the user. */
  findMember(workspaceId: string, id: string): MemberRow | undefined {
    return this.#catalog.find(`${MEMBERS} AND (user_id = :id OR idp_user_id = :id)`, {
      workspace_id: workspaceId,
      id: id.toLowerCase(),
    });
  }

  setRole(workspaceId: string, userId: string, role: WorkspaceRole, at: string): void {
    this.#catalog.run(
      `INSERT INTO workspace_member VALUES (:workspace_id, :user_id, :role, :at)
       ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = excluded.role`,
      { workspace_id: workspaceId, user_id: userId, role, at },
    );
  }

  /** Removes a member, and the shares that the user has in the workspace. */
  removeMember(workspaceId: string, userId: string): void {
    const of = { workspace_id: workspaceId, user_id: userId };
    this.#catalog.run('DELETE FROM workspace_member WHERE workspace_id = :workspace_id AND user_id = :user_id', of);
    this.#catalog.run(
      `DELETE FROM dataset_share WHERE user_id = :user_id
         AND dataset_id IN (SELECT dataset_id FROM dataset WHERE workspace_id = :workspace_id)`,
      of,
    );
  }
}
