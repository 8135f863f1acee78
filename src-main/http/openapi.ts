import type { FastifySchema } from 'fastify';
import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from '../contract/errors.ts';
import { type OperationSpec, pathParameters } from '../contract/operation.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

export const apiDescription = {
  openapi: '3.1.0',
  info: {
    title: 'Vitrine',
    description: 'Datasets of images and videos on this machine: create, explore, clean, version, share.',
    version: '1',
  },
} as const;

const errorSchema: JsonSchema = {
  type: 'object',
  properties: { detail: { type: 'string' }, code: { type: 'string' } },
  required: ['detail'],
};

/** The OpenAPI entry of an operation. It documents only; the core validates. */
export function routeSchema(operationId: string, operation: OperationSpec): FastifySchema {
  const schema: Record<string, unknown> = {
    operationId,
    summary: operation.summary,
    tags: [operation.section],
    response: responses(operation),
  };
  const { params, querystring, body } = splitInput(operation);
  if (Object.keys(params.properties ?? {}).length > 0) schema.params = params;
  if (Object.keys(querystring.properties ?? {}).length > 0) schema.querystring = querystring;
  if (operation.body === 'form') schema.consumes = ['multipart/form-data', 'application/x-www-form-urlencoded'];
  if (operation.jsonFile !== undefined) schema.consumes = ['application/json', 'multipart/form-data'];
  if (Object.keys(body.properties ?? {}).length > 0) schema.body = body;
  return schema;
}

function splitInput(operation: OperationSpec): Record<'params' | 'querystring' | 'body', JsonSchema> {
  const whole = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  const inPath = new Set(pathParameters(operation.path));
  const inQuery = new Set(operation.query ?? []);
  const place = (name: string) => {
    if (inPath.has(name)) return 'params';
    return operation.body === 'none' || inQuery.has(name) ? 'querystring' : 'body';
  };
  const part = (location: string): JsonSchema => {
    const properties = Object.entries(whole.properties ?? {}).filter(([name]) => place(name) === location);
    return {
      type: 'object',
      properties: Object.fromEntries(
        properties.map(([name, schema]) => [
          name,
          operation.files?.[name] ? fileSchema(operation.files[name]) : schema,
        ]),
      ),
      required: (whole.required ?? []).filter((name) => place(name) === location),
    };
  };
  return { params: part('params'), querystring: part('querystring'), body: part('body') };
}

function fileSchema(arity: 'one' | 'many'): JsonSchema {
  const file: JsonSchema = { type: 'string', format: 'binary' };
  return arity === 'one' ? file : { type: 'array', items: file };
}

function responses(operation: OperationSpec): Record<string, unknown> {
  const codes: ErrorCode[] = ['invalid_input', 'internal', ...operation.errors];
  const failures = Object.fromEntries(
    codes.map((code) => [
      ERROR_STATUS[code],
      { description: code, content: { 'application/json': { schema: errorSchema } } },
    ]),
  );
  return { ...failures, [operation.status]: success(operation) };
}

function success(operation: OperationSpec): unknown {
  if (operation.reply === 'json') {
    const schema = z.toJSONSchema(operation.output, { io: 'output', unrepresentable: 'any' });
    return { description: 'Success', content: { 'application/json': { schema: withoutDialect(schema) } } };
  }
  const type = {
    empty: undefined,
    redirect: undefined,
    null: 'application/json',
    text: 'text/plain',
    file: 'application/octet-stream',
    stream: 'text/event-stream',
  }[operation.reply];
  return type === undefined
    ? { description: 'Success, without a body' }
    : { description: 'Success', content: { [type]: { schema: {} } } };
}

function withoutDialect({ $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
