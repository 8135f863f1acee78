import type { IncomingMessage } from 'node:http';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { FilePart } from './download.ts';
import type { GuardedRequests } from './guarded-request.ts';
import { announcedBytes, followRedirects } from './http-answer.ts';

/**
 * Requests a file from an http(s) server from offset `from`, of the version with entity tag `etag` (RFC 9110, sections 13.1.5 and 14).
 * @param onAnswer Receives the response of every hop.
 * @throws AppError for status codes that a retry cannot resolve, and for a server that compresses without being asked; errors of the
 * network.
 */
export async function openHttpPart(
  requests: GuardedRequests,
  url: URL,
  requested: { from: number; etag: string | undefined },
  options: { headerMs: number; signal: AbortSignal; onAnswer?: (answer: IncomingMessage) => void },
): Promise<FilePart | 'changed' | 'whole'> {
  const { from, etag } = requested;
  const headers: Record<string, string> = {};
  if (from > 0) headers.range = `bytes=${from}-`;
  if (from > 0 && etag !== undefined) headers['if-range'] = etag;
  const accept = from > 0 ? [200, 206, 416] : [200];
  const answer = await followRedirects(requests, url, { ...options, accept, headers });
  const part = partOf(answer, requested);
  if (typeof part === 'string') answer.destroy();
  else if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') {
    answer.destroy();
    throw new AppError('storage_failed', message('server_compresses'));
  }
  return part;
}

function partOf(
  answer: IncomingMessage,
  requested: { from: number; etag: string | undefined },
): FilePart | 'changed' | 'whole' {
  const range = answer.headers['content-range'] ?? '';
  const etag = strongEtag(answer);
  const rest = announcedBytes(answer);
  if (answer.statusCode === 200) return { body: answer, from: 0, etag, sizeBytes: rest };
  if (answer.statusCode === 416) return range === `bytes */${requested.from}` ? 'whole' : 'changed';
  const isRest = range.startsWith(`bytes ${requested.from}-`) && (etag ?? requested.etag) === requested.etag;
  if (!isRest) return 'changed';
  const sizeBytes = rest === undefined ? undefined : requested.from + rest;
  return { body: answer, from: requested.from, etag, sizeBytes };
}

/** Returns the entity tag if it is strong: only a strong one identifies exactly these bytes (RFC 9110, section 8.8.1). */
function strongEtag(answer: IncomingMessage): string | undefined {
  const { etag } = answer.headers;
  return etag?.startsWith('"') ? etag : undefined;
}
