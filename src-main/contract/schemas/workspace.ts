import { z } from 'zod';
import { WORKSPACE_ROLES } from '../permissions.ts';

export const organization = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  updated_at: z.string().nullable(),
});
export type Organization = z.infer<typeof organization>;

export const workspace = organization.extend({
  organization_id: z.string(),
  /** Permissions of the caller. */
  permissions: z.object({
    can_view: z.boolean(),
    can_manage_members: z.boolean(),
    can_edit_roles: z.boolean(),
    can_create_dataset: z.boolean(),
  }),
});
export type Workspace = z.infer<typeof workspace>;

export const member = z.object({
  user_id: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  role: z.enum(WORKSPACE_ROLES),
  created_at: z.string(),
});
export type Member = z.infer<typeof member>;
