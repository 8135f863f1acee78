import { datetime } from '../../../contract/fields.ts';
import type { FieldValue } from '../../../contract/schemas/custom-metadata.ts';
import type { NewField } from '../../../core/ports/metadata.ts';

/** A value as stored in the database: bigint for integers. */
export type StoredValue = string | number | bigint;

type Field = Pick<NewField, 'field_type' | 'enum_options' | 'is_multi'>;

const MAX_TEXT_CHARS = 32_768;

/** Returns the value as the field stores it, or why the field cannot have the value. */
export function toStored(field: Field, value: unknown): { stored: StoredValue } | { reason: string } {
  if (value === undefined || value === null) return { reason: 'value is missing' };
  switch (field.field_type) {
    case 'string':
      return textOf(value);
    case 'link':
      return linkOf(value);
    case 'float':
      return typeof value === 'number' && Number.isFinite(value)
        ? { stored: value }
        : { reason: 'value is not a number' };
    case 'datetime': {
      const moment = datetime.safeParse(value);
      return moment.success
        ? { stored: BigInt(Date.parse(moment.data)) }
        : { reason: 'value is not an ISO 8601 date or time' };
    }
    case 'enum':
      return optionsOf(field, value);
  }
}

/** Returns the value from its stored form. */
export function fromStored({ field_type, enum_options, is_multi }: Field, stored: string | number): FieldValue {
  if (typeof stored === 'string' || field_type === 'float') return stored;
  if (field_type === 'datetime') return new Date(stored).toISOString();
  const chosen = enum_options.filter((_, at) => (stored & (1 << at)) !== 0);
  return is_multi ? chosen : (chosen[0] ?? '');
}

function textOf(value: unknown): { stored: string } | { reason: string } {
  if (typeof value !== 'string') return { reason: 'value is not a string' };
  if (value.length > MAX_TEXT_CHARS) return { reason: `value is longer than ${MAX_TEXT_CHARS} characters` };
  return { stored: value };
}

/** Accepts addresses with a host or bucket. Schemes that only run or embed something, such as `javascript:`, are rejected. */
function linkOf(value: unknown): { stored: string } | { reason: string } {
  const text = textOf(value);
  if ('reason' in text) return text;
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s/]/i.test(text.stored) && URL.canParse(text.stored)
    ? text
    : { reason: 'value is not a link, such as https://example.org/a' };
}

function optionsOf({ enum_options, is_multi }: Field, value: unknown): { stored: bigint } | { reason: string } {
  if (is_multi !== Array.isArray(value)) {
    return { reason: is_multi ? 'value is not an array of options' : 'value is not one of the options' };
  }
  const chosen: unknown[] = Array.isArray(value) ? value : [value];
  if (chosen.length === 0) return { reason: 'value names no option' };
  let bits = 0;
  for (const one of chosen) {
    const at = enum_options.indexOf(one as string);
    if (at < 0) return { reason: is_multi ? 'value holds what is not an option' : 'value is not one of the options' };
    bits |= 1 << at;
  }
  return { stored: BigInt(bits) };
}
