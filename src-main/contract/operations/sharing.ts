import { z } from 'zod';
import * as field from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { DATASET_ROLES } from '../permissions.ts';

/** Interface 4.7. */
export const sharingOperations = {
  invite: defineOperation({
    method: 'PUT',
    path: '/manage/{dataset_id}/invite',
    section: '4.7',
    summary: 'Share a dataset with a registered account; idempotent',
    permission: 'dataset:own',
    feature: 'DATASET_SHARE_ENABLED',
    featureOffReason: 'sharing_off',
    body: 'json',
    input: z.object({ dataset_id: field.uuid, grant_to_user_email: field.email }),
    output: z.null(),
    reply: 'null',
    errors: ['not_found', 'feature_disabled', 'disk_full'],
  }),
  list_shares: defineOperation({
    method: 'GET',
    path: '/manage/{dataset_id}/share',
    section: '4.7',
    summary: 'Accounts with access to a dataset and their roles, owner first',
    feature: 'DATASET_SHARE_ENABLED',
    featureOffReason: 'sharing_off',
    input: z.object({ dataset_id: field.uuid }),
    output: z.array(z.object({ email: z.string(), role: z.enum(DATASET_ROLES) })),
    errors: ['not_found', 'feature_disabled'],
  }),
  note_presence: defineOperation({
    method: 'POST',
    path: '/dataset/{dataset_id}/presence',
    section: 'own',
    summary: 'Note that the caller looks at a dataset, for about a minute, and list the other users who do',
    body: 'json',
    input: z.object({
      dataset_id: field.uuid,
      /** The caller no longer looks at the dataset. */
      is_leaving: z.boolean().default(false),
    }),
    output: z.object({ others: z.array(z.object({ email: z.string(), name: z.string() })) }),
    errors: ['not_found'],
  }),
  revoke_share: defineOperation({
    method: 'DELETE',
    path: '/manage/{dataset_id}/share',
    section: 'own',
    summary: 'Revoke access to a dataset, also while sharing is not enabled',
    permission: 'dataset:own',
    input: z.object({ dataset_id: field.uuid, user_email: field.email }),
    output: z.object({ revoked: z.boolean() }),
    errors: ['not_found', 'disk_full'],
  }),
};
