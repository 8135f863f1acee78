import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import { MEMBER_RULES, type WorkspaceRole } from '../../contract/permissions.ts';
import type { AuditAction } from '../../contract/schemas/audit.ts';
import type { Member, Organization, Workspace } from '../../contract/schemas/workspace.ts';
import type { WorkspaceContext } from '../access/contexts.ts';
import type { CallContext, Principal } from '../core.ts';
import type { SomeHandlers } from '../handlers.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { AuditService } from './audit.service.ts';
import type { MemberRoles } from './member-roles.ts';
import type { Memberships } from './memberships.ts';
import type { ServiceMode } from './service-mode.ts';
import type { UserRepository } from './user.repository.ts';
import type { WorkspaceRepository } from './workspace.repository.ts';
import type { MemberRow, OrganizationRow, WorkspaceRow } from './workspace-row.ts';

export interface WorkspaceServiceParts {
  catalog: Catalog;
  audit: AuditService;
  mode: ServiceMode;
  owner: Principal;
  workspaces: WorkspaceRepository;
  memberships: Memberships;
  users: UserRepository;
  roles: MemberRoles;
  clock: Clock;
  ids: Ids;
}

/** Workspaces, organizations and members (interface 4.14). */
export class WorkspaceService {
  readonly #parts: WorkspaceServiceParts;

  /** The operations that this service handles. */
  readonly handlers = {
    list_workspaces: (context, input) => this.list(context, input),
    get_workspace: (context) => this.get(context),
    create_workspace: (context, input) => this.create(context, input),
    list_members: (context) => this.listMembers(context),
    add_member: (context, input) => this.addMember(context, input),
    set_member_role: (context, input) => this.setRole(context, input),
    remove_member: (context, input) => this.removeMember(context, input),
    get_settings_access: (context, input) => this.getAccess(context, input),
    list_organizations: (context) => this.listOrganizations(context),
    get_organization: (context, input) => this.getOrganization(context, input),
  } satisfies SomeHandlers;

  constructor(parts: WorkspaceServiceParts) {
    this.#parts = parts;
  }

  /** @throws AppError `not_found`. */
  getRow(workspaceId: string | null): WorkspaceRow {
    const row = workspaceId === null ? undefined : this.#parts.workspaces.find(workspaceId);
    if (!row) throw new AppError('not_found', message('workspace_not_found'));
    return row;
  }

  list(context: CallContext, input: { organization_id?: string | undefined }): { workspaces: Workspace[] } {
    const rows = this.#listOf(context.principal).filter(
      ({ organization_id }) => input.organization_id === undefined || organization_id === input.organization_id,
    );
    return { workspaces: rows.map(({ role, ...row }) => presentWorkspace(row, role)) };
  }

  get({ workspace, role }: WorkspaceContext): Workspace {
    return presentWorkspace(workspace, role);
  }

  /** @throws AppError `forbidden` in single-workspace mode; `not_found` for an organization that the caller does not belong to. */
  create(context: CallContext, input: { name: string; organization_id?: string | undefined }): Workspace {
    const { principal } = context;
    const { catalog, audit, mode, workspaces, clock, ids } = this.#parts;
    if (mode.single_workspace) throw new AppError('forbidden', message('single_workspace'));
    const organizations = this.#organizationsOf(principal);
    const organization = organizations.find(
      ({ organization_id }) => input.organization_id === undefined || organization_id === input.organization_id,
    );
    if (!organization) throw new AppError('not_found', message('organization_not_found'));
    const { organization_id } = organization;
    const row = { workspace_id: ids.uuid(), organization_id, name: input.name, created_at: clock.iso() };
    catalog.transaction(() => {
      workspaces.insert(row);
      audit.note(context, 'workspace_created', row.name);
      if (!principal.is_local_owner) {
        workspaces.setRole(row.workspace_id, principal.user_id, 'admin', row.created_at);
      }
    });
    return presentWorkspace({ ...row, updated_at: null }, 'admin');
  }

  listMembers({ workspace }: WorkspaceContext): { members: Member[]; total: number } {
    const { mode, owner, workspaces } = this.#parts;
    const members = workspaces.listMembers(workspace.workspace_id).map(presentMember);
    if (!mode.authentication) members.unshift(presentOwner(owner, workspace));
    return { members, total: members.length };
  }

  /** @throws AppError `not_found` for an unknown user, `conflict` for an existing member. */
  addMember(
    context: WorkspaceContext,
    input: { user_id?: string | undefined; username?: string | undefined; role: WorkspaceRole },
  ): Member {
    const { users, workspaces } = this.#parts;
    const { workspace_id } = context.workspace;
    const user = input.username === undefined ? users.find(input.user_id ?? '') : users.findByName(input.username);
    if (!user) throw new AppError('not_found', message('user_not_found'));
    return this.#change(context, user.user_id, () => {
      if (workspaces.findMember(workspace_id, user.user_id)) {
        throw new AppError('conflict', message('already_member', { username: user.username }));
      }
      this.#note(context, 'member_added', user.username, { role: input.role });
      return this.#parts.roles.give(workspace_id, user, input.role, context.principal);
    });
  }

  /** @throws AppError `not_found` if the user is not a member; `invalid_request` for the caller's own role. */
  setRole(context: WorkspaceContext, input: { member_user_id: string; role: WorkspaceRole }): Member {
    const { workspace_id } = context.workspace;
    return this.#change(context, input.member_user_id, () => {
      const member = this.#memberOf(context, input.member_user_id, message('own_role'));
      if (member.role === input.role) return undefined;
      this.#note(context, 'member_role_changed', member.username, { role: input.role, former: member.role });
      return this.#parts.roles.give(workspace_id, member, input.role, context.principal);
    });
  }

  /** @throws AppError `not_found` if the user is not a member; `invalid_request` for the caller. */
  removeMember(context: WorkspaceContext, input: { member_user_id: string }): { message: string } {
    const { catalog, roles } = this.#parts;
    const { workspace, principal } = context;
    const { member, change } = catalog.transaction(() => {
      this.#assertStillAdmin(context);
      const found = this.#memberOf(context, input.member_user_id, message('own_membership'));
      this.#note(context, 'member_removed', found.username);
      return { member: found, change: roles.takeAway(workspace.workspace_id, found, principal) };
    });
    change.announce();
    return { message: `${member.username} is no member of ${workspace.name} any more` };
  }

  /** @throws AppError `not_found` for an unknown workspace. */
  getAccess({ principal }: CallContext, input: { workspace_id?: string | undefined }) {
    const { workspace_id } = this.getRow(input.workspace_id ?? principal.workspace_id);
    const role = this.#parts.memberships.roleIn(workspace_id, principal) ?? null;
    return { can_access: role !== null, can_manage: role === 'admin', role };
  }

  listOrganizations({ principal }: CallContext): { organizations: Organization[] } {
    return { organizations: this.#organizationsOf(principal).map(presentOrganization) };
  }

  /** @throws AppError `not_found` for an unknown organization, and for one in which the caller has no workspace. */
  getOrganization({ principal }: CallContext, input: { organization_id: string }): Organization {
    const row = this.#organizationsOf(principal).find(
      ({ organization_id }) => organization_id === input.organization_id,
    );
    if (!row) throw new AppError('not_found', message('organization_not_found'));
    return presentOrganization(row);
  }

  #listOf(principal: Principal): (WorkspaceRow & { role: WorkspaceRole })[] {
    const { workspaces, memberships } = this.#parts;
    const roles = principal.is_local_owner ? undefined : memberships.of(principal.user_id);
    return workspaces.list().flatMap((row) => {
      const role = roles ? roles.get(row.workspace_id) : 'admin';
      return role ? [{ ...row, role }] : [];
    });
  }

  #organizationsOf(principal: Principal): OrganizationRow[] {
    const own = new Set(this.#listOf(principal).map(({ organization_id }) => organization_id));
    return this.#parts.workspaces.listOrganizations().filter(({ organization_id }) => own.has(organization_id));
  }

  #note(context: WorkspaceContext, action: AuditAction, username: string, details: Record<string, unknown> = {}): void {
    this.#parts.audit.note(context, action, username, { ...details, workspace: context.workspace.name });
  }

  #change(context: WorkspaceContext, userId: string, work: () => ReturnType<MemberRoles['give']> | undefined): Member {
    const { catalog, workspaces } = this.#parts;
    const change = catalog.transaction(() => {
      this.#assertStillAdmin(context);
      return work();
    });
    change?.announce();
    const member = workspaces.findMember(context.workspace.workspace_id, userId);
    if (!member) throw new AppError('not_found', message('member_not_found'));
    return presentMember(member);
  }

  /** Checks the caller's role again: another request may have changed it.  */
  #assertStillAdmin({ principal, workspace }: WorkspaceContext): void {
    if (this.#parts.memberships.roleIn(workspace.workspace_id, principal) === 'admin') return;
    throw new AppError('forbidden', message('not_workspace_admin'));
  }

  #memberOf({ principal, workspace }: WorkspaceContext, userId: string, refusal: Message): MemberRow {
    const member = this.#parts.workspaces.findMember(workspace.workspace_id, userId);
    if (member?.user_id === principal.user_id || userId === principal.user_id) {
      throw new AppError('invalid_request', refusal);
    }
    if (!member) throw new AppError('not_found', message('member_not_found'));
    return member;
  }
}

function presentOrganization({ organization_id, name, created_at, updated_at }: OrganizationRow): Organization {
  return { id: organization_id, name, created_at, updated_at };
}

function presentWorkspace(row: WorkspaceRow, role: WorkspaceRole): Workspace {
  const { workspace_id, organization_id, name, created_at, updated_at } = row;
  const isAdmin = role === 'admin';
  const permissions = {
    can_view: true,
    can_manage_members: isAdmin,
    can_edit_roles: isAdmin,
    can_create_dataset: MEMBER_RULES[role].includes('datasets:create'),
  };
  return { id: workspace_id, organization_id, name, created_at, updated_at, permissions };
}

function presentMember({ user_id, username, email, first_name, last_name, role, created_at }: MemberRow): Member {
  return { user_id, username, email, firstName: first_name, lastName: last_name, role, created_at };
}

/** The single member while authentication is off. */
function presentOwner({ user_id, email, name }: Principal, { created_at }: WorkspaceRow): Member {
  return { user_id, username: name, email, firstName: null, lastName: null, role: 'admin', created_at };
}
