import { z } from 'zod';

/*
 * Field types shared by every operation. Clients send the same value as JSON, as a query string or as a form field, so each accepts
 * its text form too; what a handler receives is always the parsed type.
 */

export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be a UUID')
  .transform((id) => id.toLowerCase());

const ISO_8601 = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** An ISO 8601 date or time; without a zone it is UTC. Handlers receive it in UTC with milliseconds. */
export const datetime = z
  .string()
  .transform((text, context) => {
    const [, date, time = '00:00', zone = 'Z'] = ISO_8601.exec(text) ?? [];
    const moment = new Date(`${date}T${time}${zone}`);
    if (!Number.isNaN(moment.getTime())) return moment.toISOString();
    context.addIssue({ code: 'custom', message: 'must be an ISO 8601 date or time' });
    return z.NEVER;
  })
  .meta({ format: 'date-time' });

/** `true`, `false`, `True`, `False`, `1`, `0`. An empty form field counts as absent. */
export const boolean = z.preprocess((value) => {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  return value;
}, z.boolean());

function numeric(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
}

export const integer = (min: number, max: number) => z.preprocess(numeric, z.int().min(min).max(max));

export const number = (min: number, max: number) => z.preprocess(numeric, z.number().min(min).max(max));

/** An empty string means that the field was left out, as HTML forms and some clients send it. */
export const blankAsAbsent = <T extends z.ZodType>(field: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), field.optional());

/** The same for a field with a default. */
export const blankAsDefault = <T extends z.ZodType>(field: T, meaning: z.core.util.NoUndefined<z.output<T>>) =>
  z.preprocess((value) => (value === '' ? undefined : value), field.default(meaning));

/** Address of an account, such as `name@host`. */
export const email = z
  .string()
  .trim()
  .max(254, 'must be at most 254 characters')
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address');

/** Ours: the semantic encoder of a new dataset, a model id or `none` (default: the configured encoder). */
export const encoder = blankAsAbsent(z.string().max(100));

/** Ours: the workspace of a new dataset (default: the caller's own, else the first in which they may create datasets). */
export const workspaceOfNew = blankAsAbsent(uuid);

/** A file of a request: spooled to a temporary file by HTTP (`owned`: may be moved or deleted), or picked by the user on the desktop. */
export const uploadedFile = z.object({
  path: z.string(),
  file_name: z.string(),
  size_bytes: z.number(),
  owned: z.boolean(),
  /** SHA-256 in hexadecimal, if the content was hashed while it was received. */
  content_hash: z.string().optional(),
});
export type UploadedFile = z.infer<typeof uploadedFile>;

export const name = z.string().trim().min(1, 'must not be empty').max(255, 'must be at most 255 characters');

/** A path or address. Leading spaces are removed; trailing ones may belong to the name of a folder. */
export const location = z.string().overwrite((value) => value.trimStart());
export const requiredLocation = location.min(1, 'must not be empty');

/** Username of an account: interface section 8. */
export const username = z.string().regex(/^\S{3,255}$/, 'must have 3 to 255 characters and no spaces');

/** Maximum length of a password; longer ones are rejected before hashing. */
export const MAX_PASSWORD = 1024;
/** A new password: interface section 8. */
export const password = z.string().min(8, 'must have at least 8 characters').max(MAX_PASSWORD);

/** Relative paths of files, as a JSON list of texts. */
export const pathList = z.preprocess(
  (value, context) => {
    if (typeof value !== 'string' || value === '') return value === '' ? [] : value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON array of paths' });
      return z.NEVER;
    }
  },
  z.array(z.string().min(1)).default([]),
);

/** `folders`: the names of folders become labels, and splits become the field `split`; `preview_folder` shows them. */
export const labelsFrom = blankAsAbsent(z.enum(['folders']));
