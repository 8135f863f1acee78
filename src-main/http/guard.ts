import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';
import { mediaOperations } from '../contract/operations/media.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const SIGNED_PATHS = Object.values(mediaOperations).map(
  (operation) => `/api/v1${operation.path.slice(0, operation.path.indexOf('{'))}`,
);

/**
 * [Note: Loopback safety]
 * Any page in the person's browser can send requests to 127.0.0.1. Two checks keep foreign pages out: `Host` must name this machine, so
 * that a foreign name that resolves to 127.0.0.1 (DNS rebinding) gets nothing; and `Origin` or `Sec-Fetch-Site`, which pages cannot forge,
 * must say that the request comes from our own page or from no page at all. Signed media URLs may be shown by any page that was
 * given one: their signature is the permission, and some operations change things by GET, so only those paths are exempt.
 */
export function guardLoopback(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    assertLocalHost(request);
    const origin = request.headers.origin;
    if (origin !== undefined) assertOwnOrigin(origin, request);
    else if (!isSigned(request.url)) assertNotCrossSite(request);
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
  if (site === 'cross-site' || site === 'same-site') {
    throw new AppError('forbidden', 'Requests from other web pages are not allowed');
  }
}

function isSigned(url: string): boolean {
  return SIGNED_PATHS.some((path) => url.startsWith(path));
}
