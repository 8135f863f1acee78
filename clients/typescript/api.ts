import type { Input, OperationId, Result } from './api-types.ts';
import { type Credentials, createAuthorization } from './credentials.ts';
import { OPERATIONS } from './operations.ts';
import { buildRequest, type OperationRoute } from './request.ts';
import { errorOf, VitrineError } from './vitrine-error.ts';

export interface ApiOptions {
  /** Address of the server (default: `http://127.0.0.1:2080`). */
  baseUrl?: string;
  credentials?: Credentials;
  /** Replaces the global `fetch`, for example to trust a certificate of your own. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

/** One method per operation of the API, named by its `operationId`. */
export type Api = {
  readonly [Id in OperationId]: (
    ...call: Partial<Input<Id>> extends Input<Id>
      ? [input?: Input<Id>, options?: CallOptions]
      : [input: Input<Id>, options?: CallOptions]
  ) => Promise<Result<Id>>;
};

/** Sends requests with the caller's credentials. */
export interface Transport {
  baseUrl: string;
  /** @param path Below the address of the server, or a whole URL that the server returned. */
  send(path: string, init?: RequestInit): Promise<Response>;
}

/** @throws VitrineError `unreachable` without an answer, else the server's error. */
export function createTransport(options: ApiOptions): Transport {
  const baseUrl = (options.baseUrl ?? 'http://127.0.0.1:2080').replace(/\/+$/, '');
  const authorization = createAuthorization(options.credentials);
  const send = options.fetch ?? fetch;
  return {
    baseUrl,
    async send(path, init = {}) {
      const url = path.startsWith('/') ? baseUrl + path : path;
      const header = await authorization();
      // Signed URLs of another host work without credentials, which must not reach it.
      const isOurs = header !== undefined && url.startsWith(`${baseUrl}/`);
      const headers = isOurs ? { ...(init.headers as Record<string, string>), authorization: header } : init.headers;
      let response: Response;
      try {
        response = await send(url, headers === undefined ? init : { ...init, headers });
      } catch (error) {
        if (init.signal?.aborted) throw error;
        throw new VitrineError('unreachable', 0, `Vitrine does not answer at ${baseUrl}`);
      }
      if (!response.ok) throw await errorOf(response);
      return response;
    },
  };
}

/** The typed operations over a transport. */
export function createApi(transport: Transport): Api {
  const methods = Object.entries<OperationRoute>(OPERATIONS).map(([id, route]) => [
    id,
    async (input: Readonly<Record<string, unknown>> = {}, { signal }: CallOptions = {}) => {
      const { method, path, body } = buildRequest(route, input);
      const init: RequestInit = { method };
      if (signal !== undefined) init.signal = signal;
      if (body !== undefined) init.body = body;
      if (typeof body === 'string') init.headers = { 'content-type': 'application/json' };
      return read(await transport.send(`/api/v1${path}`, init), route.reply);
    },
  ]);
  // The routes are walked by name, so the types per operation come from the generated schema only.
  return Object.fromEntries(methods) as Api;
}

async function read(response: Response, reply: OperationRoute['reply']): Promise<unknown> {
  if (reply === 'json') return response.json();
  if (reply === 'text') return response.text();
  if (reply === 'file') return response;
  await response.body?.cancel();
  return undefined;
}
