import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operations } from '../contract/contract.ts';
import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';
import type { OperationSpec } from '../contract/operation.ts';
import { mediaOperations } from '../contract/operations/media.ts';
import type { Permission } from '../contract/permissions.ts';
import type { Network } from './network.ts';
import { routeOf } from './route-path.ts';

const LOOPBACK_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);
const CHANGING = new Set<Permission>(['account', 'datasets:create', 'dataset:edit', 'dataset:own', 'task:control']);
const SIGNED_PATHS = Object.values(mediaOperations).map(
  (operation) => `/api/v1${operation.path.slice(0, operation.path.indexOf('{'))}`,
);

/** Routes that the interface calls by GET although they change data. */
const CHANGING_GETS = new Set(
  Object.values<OperationSpec>(operations)
    .filter(({ method, permission }) => method === 'GET' && CHANGING.has(permission))
    .map(({ path }) => routeOf(path)),
);

/** Routes that other sites redirect browsers to. */
const LED_TO = new Set(
  Object.values<OperationSpec>(operations)
    .filter(({ reply }) => reply === 'redirect')
    .map(({ path }) => routeOf(path)),
);

/**
 * [Note: Foreign pages]
 * Any page in the user's browser can send requests to 127.0.0.1, or to a server that the user is signed in to. Two checks reject foreign
 * pages:
 * - `Host` must be this machine, a configured name or, on a server with accounts, an IP address. This stops DNS rebinding.
 * - `Origin` or `Sec-Fetch-Site`, which pages cannot forge, must show that the request comes from our own page or from no page.
 * Browsers without these headers, and browsers on plain HTTP, omit them for images and links. GETs that change data therefore need a
 * header that only our own scripts can set. Signed media URLs work on any page, because the signature is the permission. Any site may
 * link to the page itself, which no other page can read, and only those of EMBED_ORIGINS can show in a frame.
 */
export function guard(
  server: FastifyInstance,
  {
    network,
    allowedOrigins,
    embedOrigins,
  }: { network: Network; allowedOrigins: () => readonly string[]; embedOrigins: () => readonly string[] },
): void {
  server.addHook('onRequest', async (request) => {
    assertKnownHost(request, network);
    const origin = request.headers.origin;
    if (origin !== undefined) assertKnownOrigin(origin, request, allowedOrigins());
    else if (!isSigned(request.url) && !isVisit(request) && !(embedOrigins().length > 0 && isFramed(request)))
      assertNotCrossSite(request);
  });
}

function assertKnownHost({ host = '' }: FastifyRequest, { names, allowsAddresses }: Network): void {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  const isAddress = isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
  if (LOOPBACK_NAMES.has(name) || names.includes(name) || (allowsAddresses && isAddress)) return;
  throw new AppError('forbidden', message('host_name_refused'));
}

function assertKnownOrigin(origin: string, request: FastifyRequest, allowed: readonly string[]): void {
  if (origin !== `${request.protocol}://${request.host}` && !allowed.includes(origin)) {
    throw new AppError('forbidden', message('cross_site_request'));
  }
}

function assertNotCrossSite(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site === undefined && isChangingGet(request) && isBrowser(request) && !isByScript(request)) {
    throw new AppError('forbidden', message('request_origin_unknown'));
  }
  if (site === 'cross-site' || site === 'same-site') {
    throw new AppError('forbidden', message('cross_site_request'));
  }
}

/** Whether the request is a top-level navigation: a link, a typed address or a redirect. */
function isVisit({ method, url, headers, routeOptions }: FastifyRequest): boolean {
  const isPage = method === 'GET' && (!url.startsWith('/api/') || LED_TO.has(routeOptions.url ?? ''));
  return isPage && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/** Whether a page wants to show ours in a frame. The browser then checks its origin by our `frame-ancestors`. */
function isFramed({ method, url, headers }: FastifyRequest): boolean {
  const isPage = method === 'GET' && !url.startsWith('/api/');
  return isPage && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'iframe';
}

function isChangingGet({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' && CHANGING_GETS.has(routeOptions.url ?? '');
}

function isBrowser({ headers }: FastifyRequest): boolean {
  return headers['user-agent']?.startsWith('Mozilla/') ?? false;
}

/** Scripts of other pages need a CORS preflight to set this header, which is denied. */
function isByScript({ headers }: FastifyRequest): boolean {
  return headers['x-requested-with'] !== undefined;
}

function isSigned(url: string): boolean {
  return SIGNED_PATHS.some((path) => url.startsWith(path));
}
