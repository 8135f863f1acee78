import { AccessService } from '../core/access/access.service.ts';
import { MemberRoles } from '../core/accounts/member-roles.ts';
import { UserRepository } from '../core/accounts/user.repository.ts';
import { UserService } from '../core/accounts/user.service.ts';
import { WorkspaceRepository } from '../core/accounts/workspace.repository.ts';
import { WorkspaceService } from '../core/accounts/workspace.service.ts';
import type { Accounts } from './accounts.ts';
import type { Datasets } from './datasets.ts';
import type { Platform } from './platform.ts';

/** Composes the services of users, workspaces, memberships and permissions. */
export function composeUsers(platform: Platform, datasets: Datasets, { sessions }: Accounts) {
  const { catalog, primaryWorkspaceId } = platform;
  const userRows = new UserRepository(catalog, primaryWorkspaceId);
  const workspaceRows = new WorkspaceRepository(catalog);
  const parts = { ...platform, ...datasets, sessions, workspaces: workspaceRows };
  const roles = new MemberRoles({ ...parts, users: userRows });
  const workspaces = new WorkspaceService({ ...parts, users: userRows, roles });
  const users = new UserService({ ...parts, users: userRows, roles });
  return { services: { users, workspaces }, access: new AccessService({ ...platform, ...datasets, workspaces }) };
}
