import { z } from 'zod';
import { REALM_ROLES, WORKSPACE_ROLES } from '../permissions.ts';

/** A user as the identity provider knows them: interface section 2. */
export const user = z.object({
  /** Of the identity provider. */
  id: z.string(),
  username: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  enabled: z.boolean(),
  /** Milliseconds since the epoch, as in `lastAccess`. */
  createdTimestamp: z.int().nullable(),
  roles: z.array(z.enum(REALM_ROLES)),
  lastAccess: z.int().nullable(),
  /** Ours: the same user in the service. */
  user_id: z.string(),
  /** Ours: what datasets are shared with, and what `created_by` says. */
  email: z.string(),
  /** Ours: in the primary workspace; null: not a member. */
  workspace_role: z.enum(WORKSPACE_ROLES).nullable(),
  /** Ours: the password was set by somebody else and has to be changed. */
  must_change_password: z.boolean(),
});
export type User = z.infer<typeof user>;

export const userSession = z.object({
  id: z.string(),
  username: z.string(),
  ipAddress: z.string(),
  /** Milliseconds since the epoch. */
  start: z.int(),
  lastAccess: z.int(),
  /** By the name of the client, how it presents itself. */
  clients: z.record(z.string(), z.string()),
});
export type UserSession = z.infer<typeof userSession>;
