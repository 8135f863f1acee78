import type { OpenAPI3, OperationObject, ParameterObject } from 'openapi-typescript';
import type { OperationRoute } from '../../clients/typescript/request.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const BY_POST = '_by_post';
const PREFIX = '/api/v1';
const REPLIES: Readonly<Record<string, OperationRoute['reply']>> = {
  'application/json': 'json',
  'text/plain': 'text',
  'application/octet-stream': 'file',
};

export interface RouteOfOperation extends OperationRoute {
  id: string;
  summary: string;
  /** Names of all parameters, the required ones first. */
  required: string[];
  optional: string[];
}

/** The routes of an OpenAPI document, in its order; without redirects of browsers and event streams. */
export function routesOf(document: OpenAPI3): RouteOfOperation[] {
  const all = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = 'get' in item || method in item ? (item as Record<string, OperationObject>)[method] : undefined;
      return operation?.operationId ? [{ id: operation.operationId, method, path, operation }] : [];
    }),
  );
  const ids = new Set(all.map(({ id }) => id));
  return all.flatMap(({ id, method, path, operation }) => {
    const reply = replyOf(operation);
    if (id.endsWith(BY_POST) || reply === undefined) return [];
    const parameters = (operation.parameters ?? []) as ParameterObject[];
    const body = bodyOf(operation);
    const inQuery = parameters.filter((parameter) => parameter.in === 'query');
    const named = [
      ...parameters.map(({ name, required = false }) => ({ name, required })),
      ...Object.keys(body?.properties ?? {}).map((name) => ({
        name,
        required: body?.required.includes(name) ?? false,
      })),
    ];
    return {
      id,
      method: method.toUpperCase(),
      path: path.replace(PREFIX, ''),
      ...(method !== 'get' && body !== undefined && { body: body.kind }),
      ...(body !== undefined && inQuery.length > 0 && { query: inQuery.map(({ name }) => name) }),
      ...(ids.has(`${id}${BY_POST}`) && { alsoByPost: true as const }),
      reply,
      summary: operation.summary ?? '',
      required: named.filter(({ required }) => required).map(({ name }) => name),
      optional: named.filter(({ required }) => !required).map(({ name }) => name),
    };
  });
}

function replyOf({ responses = {} }: OperationObject): OperationRoute['reply'] | undefined {
  const status = ['200', '201', '202'].find((each) => each in responses);
  if (status === undefined) return undefined;
  const { content } = (responses as Record<string, { content?: Record<string, unknown> }>)[status] ?? {};
  if (content === undefined) return 'empty';
  const [type = ''] = Object.keys(content);
  return REPLIES[type];
}

interface Body {
  kind: 'json' | 'form';
  properties: Record<string, unknown>;
  required: string[];
}

function bodyOf({ requestBody }: OperationObject): Body | undefined {
  const content = (requestBody as { content?: Record<string, { schema?: Partial<Body> }> } | undefined)?.content;
  if (content === undefined) return undefined;
  const { schema } = Object.values(content)[0] ?? {};
  return {
    kind: 'multipart/form-data' in content ? 'form' : 'json',
    properties: schema?.properties ?? {},
    required: schema?.required ?? [],
  };
}
