import { z } from 'zod';

/** What the audit log tells of. */
export const AUDIT_ACTIONS = [
  'login',
  'login_failed',
  'logout',
  'password_changed',
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

/** Something that somebody did. */
export const auditEntry = z.object({
  /** Grows with time; where a page ends. */
  place: z.int(),
  at: z.string(),
  /** E-mail of who did it; of a failed login, the name that was tried. */
  actor: z.string(),
  action: z.enum(AUDIT_ACTIONS),
  /** What it was done to: an account, a dataset, a setting. */
  subject: z.string(),
  ip_address: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.infer<typeof auditEntry>;
