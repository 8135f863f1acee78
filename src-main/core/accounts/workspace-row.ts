import type { WorkspaceRole } from '../../contract/permissions.ts';

export interface OrganizationRow {
  organization_id: string;
  name: string;
  created_at: string;
  updated_at: string | null;
}

export interface WorkspaceRow extends OrganizationRow {
  workspace_id: string;
}

export interface MemberRow {
  user_id: string;
  idp_user_id: string;
  username: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  role: WorkspaceRole;
  created_at: string;
}
