import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../core/ports/log.ts';

const HEADER = 'X-Request-Id';
/** Ids of proxies and clients are kept if they are short and cannot break a log entry or a header. */
const ACCEPTED = /^[\w.:/+=-]{1,128}$/;

/** Returns the id that the caller or a proxy gave the request, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID();
}

/** Answers each request with its id, and logs it with the id at level DEBUG. */
export function nameRequests(server: FastifyInstance, log: Log): void {
  server.addHook('onRequest', async ({ id }, reply) => {
    reply.header(HEADER, id);
  });
  server.addHook('onResponse', async ({ id, routeOptions, method }, { statusCode, elapsedTime }) => {
    const { operationId } = routeOptions.config;
    const durationMs = Math.round(elapsedTime);
    log.debug(
      { request_id: id, operation_id: operationId, method, status: statusCode, duration_ms: durationMs },
      'request',
    );
  });
}
