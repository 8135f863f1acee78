import { z } from 'zod';

/** Actions that the audit log records. */
export const AUDIT_ACTIONS = [
  'login',
  'login_failed',
  'logout',
  'password_changed',
  'second_factor_added',
  'second_factor_removed',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'credential_created',
  'credential_revoked',
  'user_created',
  'user_changed',
  'user_deleted',
  'password_reset',
  'sessions_ended',
  'roles_changed',
  'member_added',
  'member_removed',
  'member_role_changed',
  'workspace_created',
  'share_granted',
  'share_revoked',
  'dataset_deleted',
  'snapshot_deleted',
  'export_begun',
  'backup_begun',
  'setting_changed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** An entry of the audit log. */
export const auditEntry = z.object({
  /** Ascending number of the entry, used for paging. */
  place: z.int(),
  at: z.string(),
  /** E-mail of the acting user; for a failed login, the attempted name. */
  actor: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  /** Name of the changed account, dataset or setting. */
  subject: z.string(),
  ip_address: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof auditEntry>;
