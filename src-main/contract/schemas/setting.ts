import { z } from 'zod';

export const SETTING_GROUPS = [
  'features',
  'media',
  'storage',
  'archives',
  'videos',
  'models',
  'issues',
  'exports',
  'vectors',
  'backups',
  'access',
  'service',
] as const;

/** A runtime setting. Values are text for every type. */
export const setting = z.object({
  name: z.string(),
  type: z.enum(['boolean', 'number', 'text', 'choice']),
  group: z.enum(SETTING_GROUPS),
  description: z.string(),
  choices: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  /** Whether the text may have several lines. */
  multi_line: z.literal(true).optional(),
  /** Whether the value is a secret. `value` and `default` then are empty, or asterisks if a value is set. */
  is_secret: z.literal(true).optional(),
  value: z.string(),
  default: z.string(),
  /** Whether the value was set here; else it comes from the environment or the default. */
  is_overridden: z.boolean(),
});
export type Setting = z.infer<typeof setting>;
