import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operations } from '../contract/contract.ts';
import { AppError } from '../contract/errors.ts';
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

/** Routes that the interface reaches by GET although they change something. */
const CHANGING_GETS = new Set(
  Object.values<OperationSpec>(operations)
    .filter(({ method, permission }) => method === 'GET' && CHANGING.has(permission))
    .map(({ path }) => routeOf(path)),
);

/** Routes that other sites lead browsers to. */
const LED_TO = new Set(
  Object.values<OperationSpec>(operations)
    .filter(({ reply }) => reply === 'redirect')
    .map(({ path }) => routeOf(path)),
);

/**
 * [Note: Foreign pages]
 * Any page in the person's browser can send requests to 127.0.0.1, or to a server that the person is signed in to. Two checks keep foreign
 * pages out: `Host` must name this machine, or be a name or, on a server with accounts, an address that it was told to answer to, so
 * that a foreign name that resolves to it (DNS rebinding) gets nothing; and `Origin` or `Sec-Fetch-Site`, which pages cannot forge,
 * must say that the request comes from our own page or from no page at all. Browsers that know neither, or that reach a server by plain HTTP,
 * send both for nothing but what an image or a link asks for: of them, GETs that change something need a header that only our own scripts
 * can set. Signed media URLs may be shown by any page that was given
 * one, for their signature is the permission; and a link from anywhere may open the page itself, which no other page can read or frame.
 */
export function guard(server: FastifyInstance, network: Network, allowedOrigins: () => readonly string[]): void {
  server.addHook('onRequest', async (request) => {
    assertKnownHost(request, network);
    const origin = request.headers.origin;
    if (origin !== undefined) assertKnownOrigin(origin, request, allowedOrigins());
    else if (!isSigned(request.url) && !isVisit(request)) assertNotCrossSite(request);
  });
}

function assertKnownHost({ host = '' }: FastifyRequest, { names, allowsAddresses }: Network): void {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  const isAddress = isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
  if (LOOPBACK_NAMES.has(name) || names.includes(name) || (allowsAddresses && isAddress)) return;
  throw new AppError('forbidden', 'This service does not answer to the name that the request is addressed to');
}

function assertKnownOrigin(origin: string, request: FastifyRequest, allowed: readonly string[]): void {
  if (origin !== `${request.protocol}://${request.host}` && !allowed.includes(origin)) {
    throw new AppError('forbidden', 'Requests from other web pages are not allowed');
  }
}

function assertNotCrossSite(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site === undefined && isChangingGet(request) && isBrowser(request) && !isByScript(request)) {
    throw new AppError(
      'forbidden',
      'This browser does not say which page sends the request; use a newer one, or https',
    );
  }
  if (site === 'cross-site' || site === 'same-site') {
    throw new AppError('forbidden', 'Requests from other web pages are not allowed');
  }
}

/** Somebody follows a link or types the address of the page, or is led back here. */
function isVisit({ method, url, headers, routeOptions }: FastifyRequest): boolean {
  const isPage = method === 'GET' && (!url.startsWith('/api/') || LED_TO.has(routeOptions.url ?? ''));
  return isPage && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function isChangingGet({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' && CHANGING_GETS.has(routeOptions.url ?? '');
}

function isBrowser({ headers }: FastifyRequest): boolean {
  return headers['user-agent']?.startsWith('Mozilla/') ?? false;
}

/** Other pages' scripts have to ask before they set it, and get no permission. */
function isByScript({ headers }: FastifyRequest): boolean {
  return headers['x-requested-with'] !== undefined;
}

function isSigned(url: string): boolean {
  return SIGNED_PATHS.some((path) => url.startsWith(path));
}
