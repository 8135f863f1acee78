import { z } from 'zod';
import { FEATURE_FLAGS, REALM_ROLES, WORKSPACE_ROLES } from '../permissions.ts';

/** Who is signed in, and how the service is run for them. */
export const account = z.object({
  user_id: z.string(),
  username: z.string(),
  email: z.string(),
  name: z.string(),
  /** In the primary workspace, else the first they are a member of; null: in none. */
  role: z.enum(WORKSPACE_ROLES).nullable(),
  workspace_id: z.string().nullable(),
  /** Whether that is the primary one. */
  in_primary_workspace: z.boolean(),
  realm_roles: z.array(z.enum(REALM_ROLES)),
  /** Whether there is a workspace that they may make datasets in. */
  may_create_datasets: z.boolean(),
  /** Nothing else is allowed before. */
  must_change_password: z.boolean(),
  /** Has one to change: accounts of another identity provider have none here. */
  has_password: z.boolean(),
  is_local_owner: z.boolean(),
  /** Off: every caller is the local owner. */
  authentication: z.boolean(),
  user_management: z.boolean(),
  on_prem: z.boolean(),
  single_workspace: z.boolean(),
  oidc: z.object({ name: z.string() }).nullable(),
  /** Where other programs reach the API. */
  api_url: z.string(),
  /** Which features are on. */
  features: z.record(z.enum(FEATURE_FLAGS), z.boolean()),
});
export type Account = z.infer<typeof account>;

export const accountSession = z.object({
  session_id: z.string(),
  ip_address: z.string(),
  client: z.string(),
  started_at: z.string(),
  last_access_at: z.string(),
  /** The session of this call. */
  is_current: z.boolean(),
});
export type AccountSession = z.infer<typeof accountSession>;

/** An API key, without its secret. */
export const apiCredential = z.object({
  api_key: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});
export type ApiCredential = z.infer<typeof apiCredential>;

/** What a login page offers. */
export const loginOptions = z.object({
  authentication: z.boolean(),
  oidc: z.object({ name: z.string() }).nullable(),
  /** There is no administrator yet. */
  setup_needed: z.boolean(),
});
export type LoginOptions = z.infer<typeof loginOptions>;
