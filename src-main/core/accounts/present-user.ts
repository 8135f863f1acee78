import type { RealmRole } from '../../contract/permissions.ts';
import type { User } from '../../contract/schemas/user.ts';
import type { UserRow } from './user.repository.ts';

export function realmRolesOf({ realm_roles }: Pick<UserRow, 'realm_roles'>): RealmRole[] {
  return JSON.parse(realm_roles) as RealmRole[];
}

/** Converts a user to the form that the API returns. */
export function presentUser(row: UserRow): User {
  return {
    id: row.idp_user_id,
    username: row.username,
    firstName: row.first_name,
    lastName: row.last_name,
    enabled: row.enabled === 1,
    createdTimestamp: Date.parse(row.created_at),
    roles: realmRolesOf(row),
    lastAccess: row.last_access_at === null ? null : Date.parse(row.last_access_at),
    user_id: row.user_id,
    email: row.address,
    workspace_role: row.workspace_role,
    must_change_password: row.password_is_temporary === 1,
    has_second_factor: row.has_second_factor === 1,
  };
}
