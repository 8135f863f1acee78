import type { FilePart } from './api-types.ts';

/** How an operation is sent. Generated from the OpenAPI document by `npm run generate:clients`. */
export interface OperationRoute {
  method: string;
  path: string;
  /** `form` for multipart; absent if everything is in the query string. */
  body?: 'json' | 'form';
  /** Fields that stay in the query string although there is a body. */
  query?: readonly string[];
  /** Also answers POST with a JSON body, for queries that are too long for an address. */
  alsoByPost?: true;
  reply: 'json' | 'text' | 'file' | 'empty';
}

/** Queries longer than this are sent in a body, where the operation allows it. Proxies limit addresses to 8 kB or less. */
const MAX_QUERY_LENGTH = 4000;

export interface BuiltRequest {
  method: string;
  path: string;
  body: string | FormData | undefined;
}

/** Splits the input of an operation into path, query string and body. */
export function buildRequest(route: OperationRoute, input: Readonly<Record<string, unknown>>): BuiltRequest {
  const rest = { ...input };
  const path = route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const inQuery: string[] = [];
  const inBody: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    if (route.body === undefined || route.query?.includes(name))
      inQuery.push(`${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`);
    else inBody[name] = value;
  }
  const query = inQuery.join('&');
  if (route.alsoByPost && query.length > MAX_QUERY_LENGTH) return { method: 'POST', path, body: JSON.stringify(rest) };
  const body = route.body === undefined ? undefined : route.body === 'json' ? JSON.stringify(inBody) : formOf(inBody);
  return { method: route.method, path: query === '' ? path : `${path}?${query}`, body };
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (isFilePart(part)) form.append(name, part.file, part.file_name);
      else form.append(name, textOf(part));
    }
  }
  return form;
}

function isFilePart(value: unknown): value is FilePart {
  return typeof value === 'object' && value !== null && 'file' in value && value.file instanceof Blob;
}
