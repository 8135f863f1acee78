import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Whether the request has the secret as its bearer token, compared in constant time. */
export function hasBearer({ headers }: FastifyRequest, secret: string): boolean {
  const sent = /^Bearer +(.*)$/i.exec(headers.authorization?.trim() ?? '')?.[1] ?? '';
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(sent), hash(secret));
}
