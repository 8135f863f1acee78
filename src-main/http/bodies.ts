import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';

/** Minimum rate of request bodies. */
export interface BodyPatience {
  windowMs: number;
  /** Minimum number of bytes per window. Uploads may take hours, but no connection is slower than this. */
  leastBytes: number;
}

export const BODY_PATIENCE: BodyPatience = { windowMs: 60_000, leastBytes: 4096 };

/**
 * Ends requests whose body arrives too slowly: each holds a connection and its temporary files. When a request is refused before its
 * whole body has arrived, the rest is received and dropped for one window: a client that is still sending would lose the answer if the
 * connection closed at once (as nginx's `lingering_close`).
 */
export function watchBodies(server: FastifyInstance, { windowMs, leastBytes }: BodyPatience): void {
  server.addHook('onRequest', async (request) => {
    if (!bringsBody(request)) return;
    const { raw } = request;
    let before = raw.socket.bytesRead;
    const watch = setInterval(() => {
      const came = raw.socket.bytesRead - before;
      before = raw.socket.bytesRead;
      // Bytes that have arrived but are not read yet are not the client's delay.
      if (came >= leastBytes || raw.readableLength > 0) return;
      clearInterval(watch);
      raw.destroy(new AppError('invalid_request', message('body_too_slow')));
    }, windowMs).unref();
    const end = () => clearInterval(watch);
    raw.once('end', end).once('close', end);
  });
  server.addHook('onSend', async (request, reply) => {
    const { raw } = request;
    if (raw.complete || !bringsBody(request)) return;
    // Fastify closes the connection after a body that it refused.
    reply.removeHeader('connection');
    const limit = setTimeout(() => raw.destroy(), windowMs).unref();
    raw.once('close', () => clearTimeout(limit));
    raw.unpipe().resume();
  });
}

function bringsBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
