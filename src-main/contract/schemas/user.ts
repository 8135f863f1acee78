import { z } from 'zod';
import { REALM_ROLES, WORKSPACE_ROLES } from '../permissions.ts';

/** A user of the identity provider: interface section 2. */
export const user = z.object({
  /** Id at the identity provider. */
  id: z.string(),
  username: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  enabled: z.boolean(),
  /** Milliseconds since the epoch, as in `lastAccess`. */
  createdTimestamp: z.int().nullable(),
  roles: z.array(z.enum(REALM_ROLES)),
  lastAccess: z.int().nullable(),
  /** Ours: id of the user in the service. */
  user_id: z.string(),
  /** Ours: address for sharing, also shown as `created_by`. */
  email: z.string(),
  /** Ours: role in the primary workspace; null for non-members. */
  workspace_role: z.enum(WORKSPACE_ROLES).nullable(),
  /** Ours: whether the password is temporary and must be changed. */
  must_change_password: z.boolean(),
  /** Ours: whether the user has a second factor or a passkey. */
  has_second_factor: z.boolean(),
});
export type User = z.infer<typeof user>;

export const userSession = z.object({
  id: z.string(),
  username: z.string(),
  ipAddress: z.string(),
  /** Milliseconds since the epoch. */
  start: z.int(),
  lastAccess: z.int(),
  /** User agents by client name. */
  clients: z.record(z.string(), z.string()),
});
export type UserSession = z.infer<typeof userSession>;
