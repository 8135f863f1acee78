import { z } from 'zod';
import { FILTERS, type FilterName, isFilterName } from '../../../../src-main/contract/vql/filters.ts';

/** A text that can be inserted. */
export interface Choice {
  value: string;
  /** Display name, if it differs from the inserted text. */
  name?: string | undefined;
  /** Number of items with the value. */
  count?: number | undefined;
}

/** Values of the dataset by filter and key, such as `labels.value`. */
export type QueryValues = Readonly<Record<string, readonly Choice[]>>;

type Schema = z.core.JSONSchema.BaseSchema;

/** Marks the caret position in an inserted text. */
export const CARET = '\u0000';

const SCHEMAS = Object.fromEntries(
  Object.entries(FILTERS).map(([name, filter]) => [
    name,
    z.toJSONSchema(filter, { io: 'output', unrepresentable: 'any' }),
  ]),
);

/** The possible forms of a filter's body. */
function formsOf(name: string): readonly Schema[] {
  const schema = isFilterName(name) ? SCHEMAS[name] : undefined;
  return schema === undefined ? [] : optionsOf(schema);
}

function optionsOf(schema: Schema): readonly Schema[] {
  return (schema.anyOf ?? [schema]).filter((option): option is Schema => typeof option !== 'boolean');
}

function propertiesOf(form: Schema): [string, Schema][] {
  return Object.entries(form.properties ?? {}).filter(
    (entry): entry is [string, Schema] => typeof entry[1] === 'object',
  );
}

export function filterNames(): FilterName[] {
  return Object.keys(FILTERS).filter(isFilterName);
}

/** Keys of a filter's body. */
export function keysOf(name: string): string[] {
  return [...new Set(formsOf(name).flatMap((form) => propertiesOf(form).map(([key]) => key)))];
}

/** Values that the grammar allows for a key. */
export function namedValues(name: string, key: string): string[] {
  return [...new Set(schemasOf(name, key).flatMap((schema) => optionsOf(schema).flatMap(fixedValues)))];
}

function schemasOf(name: string, key: string): Schema[] {
  return formsOf(name).flatMap((form) => propertiesOf(form).flatMap(([one, schema]) => (one === key ? [schema] : [])));
}

function fixedValues(schema: Schema): string[] {
  if (schema.type === 'array') {
    const { items } = schema;
    return typeof items === 'object' && !Array.isArray(items) ? fixedValues(items) : [];
  }
  return [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])].map(String);
}

/** A filter's body with its required keys, and the caret at its value. */
export function bodyTemplate(name: FilterName): string {
  const properties = formsOf(name).slice(0, 1).flatMap(propertiesOf);
  const required = formsOf(name)[0]?.required ?? [];
  const needed = properties.filter(([key, { default: preset }]) => required.includes(key) && preset === undefined);
  const valued = needed.filter(([key]) => key !== 'op');
  // A range needs one of its bounds, each of which is optional.
  const shown = valued.length > 0 ? needed : properties.filter(([key]) => key === 'op' || key === 'from');
  const parts = shown.map(([key, schema]) => {
    const [fixed] = key === 'op' ? fixedValues(schema) : [];
    return `${JSON.stringify(key)}:${fixed === undefined ? valueTemplate(schema) : JSON.stringify(fixed)}`;
  });
  return `{${parts.join(',')}}`;
}

/** A key with an empty value. */
export function memberTemplate(name: string, key: string): string {
  const [schema = {}] = schemasOf(name, key);
  return `${JSON.stringify(key)}:${valueTemplate(schema)}`;
}

function valueTemplate(schema: Schema): string {
  const [first = schema] = optionsOf(schema);
  const { type, items } = first;
  if (type === 'number' || type === 'integer' || type === 'boolean') return CARET;
  if (type !== 'array') return `"${CARET}"`;
  return `[${typeof items === 'object' && !Array.isArray(items) ? valueTemplate(items) : CARET}]`;
}
