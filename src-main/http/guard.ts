import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operations } from '../contract/contract.ts';
import { AppError } from '../contract/errors.ts';
import type { OperationSpec } from '../contract/operation.ts';
import { mediaOperations } from '../contract/operations/media.ts';
import type { Permission } from '../contract/permissions.ts';
import { routeOf } from './route-path.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const CHANGING = new Set<Permission>(['datasets:create', 'dataset:edit', 'dataset:own', 'task:control']);
const SIGNED_PATHS = Object.values(mediaOperations).map(
  (operation) => `/api/v1${operation.path.slice(0, operation.path.indexOf('{'))}`,
);

/** Routes that the interface reaches by GET although they change something. */
const CHANGING_GETS = new Set(
  Object.values<OperationSpec>(operations)
    .filter(({ method, permission }) => method === 'GET' && CHANGING.has(permission))
    .map(({ path }) => routeOf(path)),
);

/**
 * [Note: Loopback safety]
 * Any page in the person's browser can send requests to 127.0.0.1. Two checks keep foreign pages out: `Host` must name this machine, so
 * that a foreign name that resolves to 127.0.0.1 (DNS rebinding) gets nothing; and `Origin` or `Sec-Fetch-Site`, which pages cannot forge,
 * must say that the request comes from our own page or from no page at all. Browsers that know neither send both for nothing but what an
 * image or a link asks for: of them, GETs that change something are refused. Signed media URLs may be shown by any page that was given
 * one, for their signature is the permission; and a link from anywhere may open the page itself, which no other page can read or frame.
 */
export function guardLoopback(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    assertLocalHost(request);
    const origin = request.headers.origin;
    if (origin !== undefined) assertOwnOrigin(origin, request);
    else if (!isSigned(request.url) && !isVisit(request)) assertNotCrossSite(request);
  });
  server.addHook('onSend', async (_request, reply) => {
    reply.header('X-Content-Type-Options', 'nosniff');
    reply.header('Referrer-Policy', 'no-referrer');
    reply.header('Cross-Origin-Opener-Policy', 'same-origin');
  });
}

function assertLocalHost(request: FastifyRequest): void {
  const host = request.headers.host ?? '';
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (!LOOPBACK.has(name))
    throw new AppError('forbidden', 'This service answers only to requests addressed to this machine');
}

function assertOwnOrigin(origin: string, request: FastifyRequest): void {
  if (origin !== `http://${request.headers.host}`) {
    throw new AppError('forbidden', 'Requests from other web pages are not allowed');
  }
}

function assertNotCrossSite(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site === undefined && isChangingGet(request) && isBrowser(request)) {
    throw new AppError('forbidden', 'This browser does not say which page sends the request; use a newer one');
  }
  if (site === 'cross-site' || site === 'same-site') {
    throw new AppError('forbidden', 'Requests from other web pages are not allowed');
  }
}

/** Somebody follows a link or types the address of the page. */
function isVisit({ method, url, headers }: FastifyRequest): boolean {
  const isPage = method === 'GET' && !url.startsWith('/api/');
  return isPage && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function isChangingGet({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' && CHANGING_GETS.has(routeOptions.url ?? '');
}

function isBrowser({ headers }: FastifyRequest): boolean {
  return headers['user-agent']?.startsWith('Mozilla/') ?? false;
}

function isSigned(url: string): boolean {
  return SIGNED_PATHS.some((path) => url.startsWith(path));
}
