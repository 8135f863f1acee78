import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { WORKSPACE_ROLES } from '../permissions.ts';
import { user, userSession } from '../schemas/user.ts';

/** Id of the identity provider or of the service. */
const userId = z.string().max(255);
const username = z
  .string()
  .min(3, 'must be at least 3 characters')
  .max(255, 'must be at most 255 characters')
  // Invisible characters are rejected like spaces.
  .regex(/^[^\s\p{C}]+$/u, 'must not contain spaces');
const personName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(255, 'must be at most 255 characters')
  .regex(/^\P{Cc}*$/u, 'must be one line');
const confirmation = z.object({ message: z.string() });

/** Interface 4.13. */
export const userOperations = {
  list_users: defineOperation({
    method: 'GET',
    path: '/idp/admin/users',
    section: '4.13',
    summary: 'Users sorted by username; `search` matches usernames and names',
    permission: 'users:view',
    input: z.object({
      search: field.blankAsAbsent(z.string().max(1000)),
      max_results: field.blankAsDefault(field.integer(1, 1000), 100),
      first: field.blankAsDefault(field.integer(0, 1_000_000_000), 0),
    }),
    output: z.object({ users: z.array(user), total: z.int() }),
    errors: ['forbidden'],
  }),
  get_user: defineOperation({
    method: 'GET',
    path: '/idp/admin/users/{user_id}',
    section: '4.13',
    summary: 'One user',
    permission: 'users:view',
    input: z.object({ user_id: userId }),
    output: user,
    errors: ['forbidden', 'not_found'],
  }),
  create_user: defineOperation({
    method: 'POST',
    path: '/idp/admin/users',
    section: '4.13',
    summary: 'Create a user',
    permission: 'users:manage',
    body: 'json',
    input: z.object({
      username,
      password: field.password,
      /** Ours: whether the user must change the password at the first login. */
      temporary: field.boolean.default(false),
      firstName: personName,
      lastName: personName,
      enabled: field.boolean.default(true),
      workspace_role: z.enum(WORKSPACE_ROLES).default('viewer'),
    }),
    output: user,
    status: 201,
    errors: ['forbidden', 'conflict', 'disk_full'],
  }),
  update_user: defineOperation({
    method: 'PATCH',
    path: '/idp/admin/users/{user_id}',
    section: '4.13',
    summary: 'Rename, enable or disable a user',
    permission: 'users:manage',
    body: 'json',
    input: z.object({ user_id: userId, username: username.optional(), enabled: field.boolean.optional() }),
    output: user,
    errors: ['invalid_request', 'forbidden', 'not_found', 'conflict', 'disk_full'],
  }),
  delete_user: defineOperation({
    method: 'DELETE',
    path: '/idp/admin/users/{user_id}',
    section: '4.13',
    summary: 'Delete a user; their datasets are transferred to the caller',
    permission: 'users:manage',
    input: z.object({ user_id: userId }),
    output: confirmation,
    errors: ['invalid_request', 'forbidden', 'not_found', 'disk_full'],
  }),
  reset_user_password: defineOperation({
    method: 'POST',
    path: '/idp/admin/users/{user_id}/reset-password',
    section: '4.13',
    summary: 'Set a temporary password; all sessions of the user end',
    permission: 'users:manage',
    body: 'json',
    input: z.object({ user_id: userId, password: field.password }),
    output: confirmation,
    errors: ['forbidden', 'not_found', 'disk_full'],
  }),
  remove_user_second_factor: defineOperation({
    method: 'DELETE',
    path: '/idp/admin/users/{user_id}/second-factor',
    section: 'own',
    summary: 'Remove the second factor and the passkeys of a user who lost them; all sessions of the user end',
    permission: 'users:manage',
    input: z.object({ user_id: userId }),
    output: confirmation,
    errors: ['forbidden', 'not_found'],
  }),
  logout_user: defineOperation({
    method: 'POST',
    path: '/idp/admin/users/{user_id}/logout',
    section: '4.13',
    summary: 'End all sessions of a user',
    permission: 'users:manage',
    input: z.object({ user_id: userId }),
    output: confirmation,
    errors: ['forbidden', 'not_found'],
  }),
  list_user_sessions: defineOperation({
    method: 'GET',
    path: '/idp/admin/users/{user_id}/sessions',
    section: '4.13',
    summary: 'Sessions of a user, newest first',
    permission: 'users:view',
    input: z.object({ user_id: userId }),
    output: z.object({ sessions: z.array(userSession), total: z.int() }),
    errors: ['forbidden', 'not_found'],
  }),
  set_user_roles: defineOperation({
    method: 'PUT',
    path: '/idp/admin/users/{user_id}/roles',
    section: '4.13',
    summary: 'Replace the realm roles of a user; unknown names are ignored',
    permission: 'users:manage',
    body: 'json',
    input: z.object({ user_id: userId, roles: z.array(z.string().max(255)).max(100) }),
    output: user,
    errors: ['forbidden', 'not_found', 'disk_full'],
  }),
};
