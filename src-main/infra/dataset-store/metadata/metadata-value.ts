import { datetime } from '../../../contract/fields.ts';
import { type Message, message } from '../../../contract/messages.ts';
import type { FieldValue } from '../../../contract/schemas/custom-metadata.ts';
import type { NewField } from '../../../core/ports/metadata.ts';

/** A value as stored in the database: bigint for integers. */
export type StoredValue = string | number | bigint;

type Field = Pick<NewField, 'field_type' | 'enum_options' | 'is_multi'>;

const MAX_TEXT_CHARS = 32_768;

/** Returns the value as the field stores it, or why the field cannot have the value. */
export function toStored(field: Field, value: unknown): { stored: StoredValue } | { problem: Message } {
  if (value === undefined || value === null) return { problem: message('value_missing') };
  switch (field.field_type) {
    case 'string':
      return textOf(value);
    case 'link':
      return linkOf(value);
    case 'float':
      return typeof value === 'number' && Number.isFinite(value)
        ? { stored: value }
        : { problem: message('value_not_a_number') };
    case 'datetime': {
      const moment = datetime.safeParse(value);
      return moment.success ? { stored: BigInt(Date.parse(moment.data)) } : { problem: message('value_not_datetime') };
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

function textOf(value: unknown): { stored: string } | { problem: Message } {
  if (typeof value !== 'string') return { problem: message('value_not_string') };
  if (value.length > MAX_TEXT_CHARS) return { problem: message('value_too_long', { limit: MAX_TEXT_CHARS }) };
  return { stored: value };
}

/** Accepts addresses with a host or bucket. Schemes that only run or embed something, such as `javascript:`, are rejected. */
function linkOf(value: unknown): { stored: string } | { problem: Message } {
  const text = textOf(value);
  if ('problem' in text) return text;
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s/]/i.test(text.stored) && URL.canParse(text.stored)
    ? text
    : { problem: message('value_not_link') };
}

function optionsOf({ enum_options, is_multi }: Field, value: unknown): { stored: bigint } | { problem: Message } {
  if (is_multi !== Array.isArray(value)) {
    return { problem: message(is_multi ? 'value_not_options' : 'value_not_option') };
  }
  const chosen: unknown[] = Array.isArray(value) ? value : [value];
  if (chosen.length === 0) return { problem: message('value_without_options') };
  let bits = 0;
  for (const one of chosen) {
    const at = enum_options.indexOf(one as string);
    if (at < 0) return { problem: message(is_multi ? 'value_with_unknown_option' : 'value_not_option') };
    bits |= 1 << at;
  }
  return { stored: BigInt(bits) };
}
