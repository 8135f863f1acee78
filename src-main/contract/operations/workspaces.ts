import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { WORKSPACE_ROLES } from '../permissions.ts';
import { member, organization, workspace } from '../schemas/workspace.ts';

/** Id of the service or of the identity provider. */
const memberUserId = z.string().max(255);
const role = z.enum(WORKSPACE_ROLES);
/** Default: the caller's own workspace, which is the primary one for its members. */
const workspaceId = field.blankAsAbsent(field.uuid);

/** Interface 4.14, and our own operations for several workspaces and their members. */
export const workspaceOperations = {
  list_workspaces: defineOperation({
    method: 'GET',
    path: '/workspaces',
    section: '4.14',
    summary: 'Workspaces of the caller, oldest first',
    permission: 'account',
    input: z.object({ organization_id: field.blankAsAbsent(field.uuid) }),
    output: z.object({ workspaces: z.array(workspace) }),
  }),
  get_workspace: defineOperation({
    method: 'GET',
    path: '/workspaces/{workspace_id}',
    section: '4.14',
    summary: 'One workspace',
    permission: 'workspace:view',
    input: z.object({ workspace_id: field.uuid }),
    output: workspace,
    errors: ['not_found'],
  }),
  create_workspace: defineOperation({
    method: 'POST',
    path: '/workspaces',
    section: 'own',
    summary: 'Create a workspace with the caller as its admin; refused in single-workspace mode',
    permission: 'workspaces:create',
    body: 'json',
    input: z.object({ name: field.name, organization_id: field.blankAsAbsent(field.uuid) }),
    output: workspace,
    status: 201,
    errors: ['forbidden', 'not_found', 'disk_full'],
  }),
  list_members: defineOperation({
    method: 'GET',
    path: '/workspace/members',
    section: '4.14',
    summary: 'Members of a workspace, by username',
    permission: 'workspace:view',
    input: z.object({ workspace_id: workspaceId }),
    output: z.object({ members: z.array(member), total: z.int() }),
    errors: ['not_found'],
  }),
  add_member: defineOperation({
    method: 'POST',
    path: '/workspace/members',
    section: 'own',
    summary: 'Add a user to a workspace, by id, username or address',
    permission: 'workspace:manage',
    body: 'json',
    input: z
      .object({
        user_id: field.blankAsAbsent(memberUserId),
        username: field.blankAsAbsent(z.string().trim().max(320)),
        role,
        workspace_id: workspaceId,
      })
      .refine(({ user_id, username }) => (user_id === undefined) !== (username === undefined), {
        path: ['username'],
        message: 'is required if user_id is missing, and not allowed with it',
      }),
    output: member,
    status: 201,
    errors: ['forbidden', 'not_found', 'conflict', 'disk_full'],
  }),
  set_member_role: defineOperation({
    method: 'PUT',
    path: '/workspace/members/{member_user_id}/role',
    section: '4.14',
    summary: 'Change the role of a member',
    permission: 'workspace:manage',
    body: 'json',
    input: z.object({ member_user_id: memberUserId, role, workspace_id: workspaceId }),
    output: member,
    errors: ['invalid_request', 'forbidden', 'not_found', 'disk_full'],
  }),
  remove_member: defineOperation({
    method: 'DELETE',
    path: '/workspace/members/{member_user_id}',
    section: 'own',
    summary: 'Remove a member from a workspace; their datasets in it are transferred to the caller',
    permission: 'workspace:manage',
    input: z.object({ member_user_id: memberUserId, workspace_id: workspaceId }),
    output: z.object({ message: z.string() }),
    errors: ['invalid_request', 'forbidden', 'not_found', 'disk_full'],
  }),
  get_settings_access: defineOperation({
    method: 'GET',
    path: '/workspace/settings/access',
    section: '4.14',
    summary: 'Role of the caller in a workspace',
    permission: 'account',
    input: z.object({ workspace_id: workspaceId }),
    output: z.object({ can_access: z.boolean(), can_manage: z.boolean(), role: role.nullable() }),
    errors: ['not_found'],
  }),
  list_organizations: defineOperation({
    method: 'GET',
    path: '/organizations',
    section: '4.14',
    summary: 'Organizations of the caller’s workspaces',
    permission: 'account',
    input: z.object({}),
    output: z.object({ organizations: z.array(organization) }),
  }),
  get_organization: defineOperation({
    method: 'GET',
    path: '/organizations/{organization_id}',
    section: '4.14',
    summary: 'One organization',
    permission: 'account',
    input: z.object({ organization_id: field.uuid }),
    output: organization,
    errors: ['not_found'],
  }),
};
