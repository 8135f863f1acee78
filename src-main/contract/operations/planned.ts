import { z } from 'zod';
import { defineOperation, type Method, type OperationSpec, pathParameters } from '../operation.ts';

/**
 * Operations of the interface that answer 501 so far. The one list of them: an operation leaves it when it is declared in full beside
 * this file.
 */
const rows: readonly (readonly [id: string, method: Method, path: `/${string}`, section: string, summary: string])[] = [
  ['list_users', 'GET', '/idp/admin/users', '4.13', 'Users'],
  ['get_user', 'GET', '/idp/admin/users/{user_id}', '4.13', 'One user'],
  ['create_user', 'POST', '/idp/admin/users', '4.13', 'Create a user'],
  ['update_user', 'PATCH', '/idp/admin/users/{user_id}', '4.13', 'Rename, enable or disable a user'],
  ['delete_user', 'DELETE', '/idp/admin/users/{user_id}', '4.13', 'Delete a user'],
  ['reset_user_password', 'POST', '/idp/admin/users/{user_id}/reset-password', '4.13', 'Set a temporary password'],
  ['logout_user', 'POST', '/idp/admin/users/{user_id}/logout', '4.13', 'End all sessions of a user'],
  ['list_user_sessions', 'GET', '/idp/admin/users/{user_id}/sessions', '4.13', 'Sessions of a user'],
  ['set_user_roles', 'PUT', '/idp/admin/users/{user_id}/roles', '4.13', 'Replace the realm roles of a user'],
  ['list_workspaces', 'GET', '/workspaces', '4.14', 'Workspaces of the caller'],
  ['get_workspace', 'GET', '/workspaces/{workspace_id}', '4.14', 'One workspace'],
  ['list_members', 'GET', '/workspace/members', '4.14', 'Members of a workspace'],
  ['set_member_role', 'PUT', '/workspace/members/{member_user_id}/role', '4.14', 'Change the role of a member'],
  ['get_settings_access', 'GET', '/workspace/settings/access', '4.14', 'What the caller may do in a workspace'],
  ['list_organizations', 'GET', '/organizations', '4.14', 'Organizations'],
  ['get_organization', 'GET', '/organizations/{organization_id}', '4.14', 'One organization'],
];

function plannedOperation([, method, path, section, summary]: (typeof rows)[number]): OperationSpec {
  const parameters = Object.fromEntries(pathParameters(path).map((name) => [name, z.string()]));
  return defineOperation({
    method,
    path,
    section,
    summary,
    input: z.object(parameters),
    output: z.unknown(),
    errors: ['not_implemented'],
  });
}

export const plannedOperations: Readonly<Record<string, OperationSpec>> = Object.fromEntries(
  rows.map((row) => [row[0], plannedOperation(row)]),
);
