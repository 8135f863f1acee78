import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';

/** How slowly a body may come in. */
export interface BodyPatience {
  windowMs: number;
  /** Bytes that have to come in a window. Uploads may take hours, but no line is as slow as this. */
  leastBytes: number;
}

export const BODY_PATIENCE: BodyPatience = { windowMs: 60_000, leastBytes: 4096 };

/** Ends requests whose body hardly comes: each would hold a connection, and what came of it, as long as its client likes. */
export function endSlowBodies(server: FastifyInstance, { windowMs, leastBytes }: BodyPatience): void {
  server.addHook('onRequest', async (request) => {
    if (!bringsBody(request)) return;
    const { raw } = request;
    let before = raw.socket.bytesRead;
    const watch = setInterval(() => {
      const came = raw.socket.bytesRead - before;
      before = raw.socket.bytesRead;
      // What has come and nobody has read yet is not the client's delay.
      if (came >= leastBytes || raw.readableLength > 0) return;
      clearInterval(watch);
      raw.destroy(new AppError('invalid_request', 'The body of the request comes too slowly'));
    }, windowMs).unref();
    const end = () => clearInterval(watch);
    raw.once('end', end).once('close', end);
  });
}

function bringsBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
