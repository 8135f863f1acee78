import { z } from 'zod';
import { FEATURE_FLAGS, REALM_ROLES, WORKSPACE_ROLES } from '../permissions.ts';

/** The signed-in account and the mode of the service. */
export const account = z.object({
  user_id: z.string(),
  username: z.string(),
  email: z.string(),
  name: z.string(),
  /** Role in the primary workspace, else in the first one joined; null without a workspace. */
  role: z.enum(WORKSPACE_ROLES).nullable(),
  workspace_id: z.string().nullable(),
  /** Whether that workspace is the primary one. */
  in_primary_workspace: z.boolean(),
  realm_roles: z.array(z.enum(REALM_ROLES)),
  /** Whether the account may create datasets in some workspace. */
  may_create_datasets: z.boolean(),
  /** The password must be changed before any other call. */
  must_change_password: z.boolean(),
  /** Whether the account has a password here; accounts of another identity provider have none. */
  has_password: z.boolean(),
  is_local_owner: z.boolean(),
  /** When off, every caller is the local owner. */
  authentication: z.boolean(),
  user_management: z.boolean(),
  on_prem: z.boolean(),
  single_workspace: z.boolean(),
  oidc: z.object({ name: z.string() }).nullable(),
  /** Address of the API for other programs. */
  api_url: z.string(),
  /** Features and whether they are on. */
  features: z.record(z.enum(FEATURE_FLAGS), z.boolean()),
});
export type Account = z.infer<typeof account>;

export const accountSession = z.object({
  session_id: z.string(),
  ip_address: z.string(),
  client: z.string(),
  started_at: z.string(),
  last_access_at: z.string(),
  /** Whether it is the session of this call. */
  is_current: z.boolean(),
});
export type AccountSession = z.infer<typeof accountSession>;

/** An API key without its secret. */
export const apiCredential = z.object({
  api_key: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});
export type ApiCredential = z.infer<typeof apiCredential>;

/** Second factor of the caller's account. */
export const secondFactor = z.object({
  is_on: z.boolean(),
  /** Recovery codes that are still unused. */
  n_recovery_codes: z.int(),
});
export type SecondFactor = z.infer<typeof secondFactor>;

export const passkey = z.object({
  passkey_id: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});
export type Passkey = z.infer<typeof passkey>;

/** Options for `navigator.credentials`, in the JSON form of WebAuthn Level 3. */
export const webAuthnOptions = z.record(z.string(), z.unknown());

/** Answer of an authenticator: `PublicKeyCredential.toJSON()`. The service verifies its content. */
export const webAuthnAnswer = z.looseObject({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z.record(z.string().max(100), z.unknown()),
});
export type WebAuthnAnswer = z.infer<typeof webAuthnAnswer>;

/** Options of the login page. */
export const loginOptions = z.object({
  authentication: z.boolean(),
  oidc: z.object({ name: z.string() }).nullable(),
  /** Whether any account can sign in with a passkey. */
  passkeys: z.boolean(),
  /** Whether the first administrator is still to be created. */
  setup_needed: z.boolean(),
});
export type LoginOptions = z.infer<typeof loginOptions>;
