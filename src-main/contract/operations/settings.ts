import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { setting } from '../schemas/setting.ts';

const key = z.string().trim().min(1, 'must not be empty').max(100);
const value = z.object({ value: z.string() });

/** Interface section 4.15, and our own operations of the settings page, which also work on a desktop. */
export const settingOperations = {
  get_setting: defineOperation({
    method: 'GET',
    path: '/admin/settings',
    section: '4.15',
    summary: 'Value of a setting',
    permission: 'settings:manage',
    input: z.object({ key }),
    output: value,
    errors: ['invalid_request', 'forbidden'],
  }),
  set_setting: defineOperation({
    method: 'POST',
    path: '/admin/settings',
    section: '4.15',
    summary: 'Change a setting, effective immediately',
    permission: 'settings:manage',
    body: 'json',
    input: z.object({ key, value: z.unknown() }),
    output: value,
    errors: ['invalid_request', 'forbidden'],
  }),
  list_settings: defineOperation({
    method: 'GET',
    path: '/settings',
    section: 'own',
    summary: 'All settings',
    permission: 'settings:manage',
    input: z.object({}),
    output: z.object({ settings: z.array(setting) }),
    errors: ['forbidden'],
  }),
  change_setting: defineOperation({
    method: 'POST',
    path: '/settings',
    section: 'own',
    summary: 'Change a setting, effective immediately',
    permission: 'settings:manage',
    body: 'json',
    input: z.object({ key, value: z.unknown() }),
    output: setting,
    errors: ['invalid_request', 'forbidden'],
  }),
  reset_setting: defineOperation({
    method: 'DELETE',
    path: '/settings/{key}',
    section: 'own',
    summary: 'Reset a setting to the value of the environment or its default',
    permission: 'settings:manage',
    input: z.object({ key }),
    output: setting,
    errors: ['invalid_request', 'forbidden'],
  }),
};
