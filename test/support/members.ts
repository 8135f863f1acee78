import { join } from 'node:path';
import Database from 'better-sqlite3';
import { REALM_ROLES, type RealmRole, type WorkspaceRole } from '../../src-main/contract/permissions.ts';
import type { Principal } from '../../src-main/core/core.ts';
import { addAccount } from './accounts.ts';
import { principal } from './principals.ts';

/** Adds an account to the catalog for calls to a core in this process. With a role, the account is a member of the first workspace. */
export async function addMember(data: string, username: string, role: WorkspaceRole | null): Promise<Principal> {
  await addAccount(data, { username, role, realm_roles: role === 'admin' ? [...REALM_ROLES] : [] });
  return whoIs(data, username);
}

/** Returns the current principal of a user. */
export function whoIs(data: string, username: string): Principal {
  return withCatalog(data, (catalog) => {
    const user = catalog
      .prepare(
        'SELECT user_id, user.email, name, idp_user_id FROM user JOIN idp_user USING (idp_user_id) WHERE username = ?',
      )
      .get(username) as { user_id: string; email: string; name: string; idp_user_id: string } | undefined;
    if (!user) throw new Error(`there is no ${username}`);
    const { idp_user_id, ...account } = user;
    const first = catalog.prepare('SELECT workspace_id FROM workspace ORDER BY rowid LIMIT 1').get() as {
      workspace_id: string;
    };
    const member = catalog
      .prepare('SELECT workspace_id, role FROM workspace_member WHERE user_id = ? ORDER BY workspace_id = ? DESC')
      .get(account.user_id, first.workspace_id) as { workspace_id: string; role: WorkspaceRole } | undefined;
    const roles = catalog.prepare('SELECT role FROM idp_role WHERE idp_user_id = ?').pluck().all(idp_user_id);
    return principal({
      ...account,
      workspace_id: member?.workspace_id ?? null,
      role: member?.role ?? null,
      in_primary_workspace: member?.workspace_id === first.workspace_id,
      realm_roles: roles as RealmRole[],
    });
  });
}

/** Returns the id of a user at the identity provider. */
export function idpIdOf(data: string, { user_id }: Principal): string {
  return withCatalog(data, (catalog) =>
    String(catalog.prepare('SELECT idp_user_id FROM user WHERE user_id = ?').pluck().get(user_id)),
  );
}

function withCatalog<T>(data: string, work: (catalog: Database.Database) => T): T {
  const catalog = new Database(join(data, 'catalog.db'));
  try {
    return work(catalog);
  } finally {
    catalog.close();
  }
}
