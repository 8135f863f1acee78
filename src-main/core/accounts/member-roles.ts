import { REALM_ROLES, type WorkspaceRole } from '../../contract/permissions.ts';
import type { DatasetUsers } from '../access/dataset-users.ts';
import type { EventBus } from '../events.ts';
import type { Clock } from '../ports/clock.ts';
import type { ServiceMode } from './service-mode.ts';
import type { SessionService } from './session.service.ts';
import type { UserRepository } from './user.repository.ts';
import type { WorkspaceRepository } from './workspace.repository.ts';
import type { MemberRow } from './workspace-row.ts';

export interface MemberRolesParts {
  mode: ServiceMode;
  primaryWorkspaceId: string;
  workspaces: WorkspaceRepository;
  users: UserRepository;
  datasetUsers: DatasetUsers;
  sessions: Pick<SessionService, 'endAllOf'>;
  events: EventBus;
  clock: Clock;
}

/** The user who receives the datasets of a member who may no longer own any. */
interface Heir {
  user_id: string;
}

type Account = Pick<MemberRow, 'user_id' | 'idp_user_id'>;

/** The effects of a role change. Its events are emitted after the commit. */
export interface RoleChange {
  announce(): void;
}

/** Roles in workspaces, with all effects of a change (4.14). Every method joins the caller's transaction. */
export class MemberRoles {
  readonly #parts: MemberRolesParts;

  constructor(parts: MemberRolesParts) {
    this.#parts = parts;
  }

  /**
   * Gives a role to a user, who need not be a member yet. In a workspace that allows one admin, a new admin replaces all others, who must
   * then sign in again. Admins of the primary workspace manage users; viewers cannot own datasets.
   */
  give(workspaceId: string, account: Account, role: WorkspaceRole, heir: Heir): RoleChange {
    const { mode, workspaces, sessions, datasetUsers, clock } = this.#parts;
    const previous = workspaces.findMember(workspaceId, account.user_id)?.role;
    const changed: Account[] = [account];
    if (role === 'admin' && mode.single_workspace) {
      const demoted = workspaces.listAdmins(workspaceId).filter(({ user_id }) => user_id !== account.user_id);
      for (const admin of demoted) {
        workspaces.setRole(workspaceId, admin.user_id, 'editor', clock.iso());
        this.#setRealmRoles(workspaceId, admin, []);
      }
      changed.push(...demoted);
      for (const { idp_user_id } of changed) sessions.endAllOf(idp_user_id);
    }
    workspaces.setRole(workspaceId, account.user_id, role, clock.iso());
    if (role === 'admin') this.#setRealmRoles(workspaceId, account, REALM_ROLES);
    else if (previous === 'admin') this.#setRealmRoles(workspaceId, account, []);
    const moved = role === 'viewer' ? datasetUsers.transfer(account.user_id, heir.user_id, workspaceId) : [];
    return this.#change(changed, moved);
  }

  /** Removes a member from a workspace. */
  takeAway(workspaceId: string, member: MemberRow, heir: Heir): RoleChange {
    const { workspaces, datasetUsers } = this.#parts;
    workspaces.removeMember(workspaceId, member.user_id);
    if (member.role === 'admin') this.#setRealmRoles(workspaceId, member, []);
    return this.#change([member], datasetUsers.transfer(member.user_id, heir.user_id, workspaceId));
  }

  /** The identity provider stores admin roles for the primary workspace only. */
  #setRealmRoles(workspaceId: string, { idp_user_id }: Account, roles: typeof REALM_ROLES | []): void {
    if (workspaceId === this.#parts.primaryWorkspaceId) this.#parts.users.setRealmRoles(idp_user_id, roles);
  }

  #change(accounts: readonly Account[], datasetIds: readonly string[]): RoleChange {
    const { events } = this.#parts;
    return {
      announce: () => {
        for (const { user_id } of accounts) events.emit('access_changed', { user_id });
        for (const datasetId of datasetIds) events.emit('dataset_changed', { dataset_id: datasetId });
      },
    };
  }
}
