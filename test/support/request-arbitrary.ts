import fc from 'fast-check';
import { z } from 'zod';
import { type OperationSpec, pathParameters } from '../../src-main/contract/operation.ts';

export interface GeneratedRequest {
  path: string;
  init: RequestInit;
}

/** Values for fields whose schema is too loose, such as those parsed from text. The list includes values that real clients send. */
const TEXTS = [
  '',
  ' ',
  '0',
  '1',
  '2',
  '-1',
  '0.5',
  '1e9',
  'NaN',
  'true',
  'False',
  'null',
  'undefined',
  'IMAGES',
  'OBJECTS',
  'VIDEOS',
  'MEDIA',
  'UPLOAD',
];
const STRUCTURES = [
  '[]',
  '{}',
  '[{}]',
  '[null]',
  '["a"]',
  '[a,b]',
  '{"text":{}}',
  '[{"labels":{"op":"is","value":["a"]}}]',
];
const FILTERS = [
  '[{"text":{"op":"fts","value":"(a OR"}}]',
  '[{"similarity":{"op":"upload","value":"x"}}]',
  '[{"unheard":1}]',
];
const HOSTILE = ["' OR 1=1 --", '../../etc/passwd', '%00', '\u0000', '\ud83d\ude42 日本', '"', 'x'.repeat(5000)];
const text = fc.oneof(
  fc.constantFrom(...TEXTS, ...STRUCTURES, ...FILTERS, ...HOSTILE),
  fc.uuid(),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const file = fc.record({
  name: fc.constantFrom('a.jpg', 'b/c.png', '../d.webp', 'notes.txt', 'e.zip', 'annotations.json', ''),
  bytes: fc.uint8Array({ maxLength: 64 }),
});

type Schema = z.core.JSONSchema.BaseSchema;

/** A value that matches a field's JSON schema as far as the schema constrains it. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one as Schema)));
  const items = (typeof schema.items === 'object' && !Array.isArray(schema.items) ? schema.items : {}) as Schema;
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: clamp(schema.minimum, -1000), max: clamp(schema.maximum, 1000) });
    case 'number':
      return fc.double({ min: clamp(schema.minimum, -1000), max: clamp(schema.maximum, 1000), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(items), { maxLength: 3 });
    case 'object':
      return fc.dictionary(fc.constantFrom('IMAGE_TAGGING', 'CAPTION_IMAGES', 'x'), text, { maxKeys: 2 });
    case 'null':
      return fc.constant(null);
    default:
      return text;
  }
}

function clamp(bound: number | undefined, otherwise: number): number {
  return bound === undefined || Math.abs(bound) > 1000 ? otherwise : bound;
}

/**
 * Requests for an operation. Some fields match the schema, some do not, and some are omitted.
 * @param known Values of fields that refer to existing objects or must not be invented.
 */
export function requestsOf(
  operation: OperationSpec,
  known: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<GeneratedRequest> {
  const { properties = {} } = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  const inPath = new Set(pathParameters(operation.path));
  const arbitraries: Record<string, fc.Arbitrary<unknown>> = {};
  for (const name of Object.keys(operation.input.shape)) {
    const values = known[name];
    const made = values ? fc.constantFrom(...values) : fc.oneof(fitting((properties[name] ?? {}) as Schema), text);
    const mayMiss = inPath.has(name) ? made : fc.option(made, { nil: undefined, freq: 4 });
    arbitraries[name] = operation.files?.[name] ? fc.array(file, { maxLength: 2 }) : mayMiss;
  }
  return fc.record(arbitraries).map((input) => toRequest(operation, input, inPath));
}

function toRequest(operation: OperationSpec, input: Record<string, unknown>, inPath: Set<string>): GeneratedRequest {
  const given = Object.entries(input).filter(([name, value]) => value !== undefined && !inPath.has(name));
  const path = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(asText(input[name])));
  if (operation.body === 'none') {
    const query = new URLSearchParams(given.map(([name, value]) => [name, asText(value)]));
    return { path: `${path}?${query}`, init: {} };
  }
  if (operation.body === 'json') {
    const body = JSON.stringify(Object.fromEntries(given));
    return { path, init: { body, headers: { 'Content-Type': 'application/json' } } };
  }
  const body = new FormData();
  for (const [name, value] of given) {
    if (!operation.files?.[name]) body.append(name, asText(value));
    else {
      for (const { name: fileName, bytes } of value as { name: string; bytes: Uint8Array<ArrayBuffer> }[])
        body.append(name, new Blob([bytes]), fileName);
    }
  }
  return { path, init: { body } };
}

/** A lone surrogate cannot be encoded in UTF-8. */
function asText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
}
