import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { AUDIT_ACTIONS, auditEntry } from '../schemas/audit.ts';

/** The audit log. */
export const auditOperations = {
  list_audit_entries: defineOperation({
    method: 'GET',
    path: '/audit',
    section: 'own',
    summary: 'Logins, role changes, shares, exports, deletions and settings, newest first',
    permission: 'settings:manage',
    input: z.object({
      limit: field.integer(1, 500).default(100),
      /** Returns only entries before this place, the last one of the previous page. */
      before: field.integer(1, Number.MAX_SAFE_INTEGER).optional(),
      action: field.blankAsAbsent(z.enum(AUDIT_ACTIONS)),
    }),
    output: z.object({ entries: z.array(auditEntry), total: z.int() }),
    errors: ['forbidden'],
  }),
};
