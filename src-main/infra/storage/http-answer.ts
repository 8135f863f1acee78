import type { IncomingMessage } from 'node:http';
import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import { TransientError } from './download.ts';
import type { GuardedRequests } from './guarded-request.ts';

const MAX_REDIRECTS = 5;
const MAX_DROPPED_BYTES = 64 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface FollowOptions {
  /** Maximum time in ms to wait for each header. */
  headerMs: number;
  signal: AbortSignal;
  /** Status codes that the caller can handle. */
  accept: readonly number[];
  headers?: Readonly<Record<string, string>>;
  /** Receives the response of every hop. */
  onAnswer?: (answer: IncomingMessage) => void;
}

/**
 * Follows up to 5 redirects to a response that the caller can handle. The caller must read or destroy its body.
 * @throws AppError for status codes that a retry cannot resolve; TransientError; errors of the network.
 */
export async function followRedirects(
  requests: GuardedRequests,
  url: URL,
  { accept, onAnswer, ...options }: FollowOptions,
): Promise<IncomingMessage> {
  let at = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const answer = await requests.get(at, options);
    const status = answer.statusCode ?? 0;
    onAnswer?.(answer);
    if (accept.includes(status)) return answer;
    dropBody(answer);
    if (!REDIRECTS.has(status)) throw refusal(answer);
    at = httpUrl(answer.headers.location ?? '', at);
  }
  throw new AppError('storage_failed', message('too_many_redirects', { limit: MAX_REDIRECTS }));
}

/** Parses an http(s) URL. @throws AppError `invalid_request`. */
export function httpUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new AppError('invalid_request', message(base ? 'redirect_not_http' : 'address_not_http'));
}

function refusal(answer: IncomingMessage): Error {
  const status = answer.statusCode ?? 0;
  const reason = message('server_status', { status });
  if (status === 404 || status === 410) return new AppError('not_found', reason);
  if (status >= 500 || status === 408 || status === 425 || status === 429) {
    const seconds = Number(answer.headers['retry-after']);
    return new TransientError(reason, Number.isFinite(seconds) ? seconds * 1000 : 0);
  }
  return new AppError('storage_failed', reason);
}

/** Reads and discards a short body, so that the connection can be reused; a long or endless body is cut off. */
function dropBody(answer: IncomingMessage): void {
  const announced = announcedBytes(answer);
  if (announced !== undefined && announced <= MAX_DROPPED_BYTES) answer.resume();
  else answer.destroy();
}

export function announcedBytes(answer: IncomingMessage): number | undefined {
  const text = answer.headers['content-length'];
  return text === undefined ? undefined : Number(text);
}

/** Returns why a transfer failed after its last attempt. */
export function transferProblem(error: unknown): Message {
  if (error instanceof TransientError) return error.reason;
  const name = error instanceof Error ? error.name : '';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (name === 'StalledError' || name === 'TimeoutError' || name === 'AbortError') return message('server_slow');
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return message('server_unknown');
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'ETIMEDOUT') {
    return message('server_unreachable');
  }
  if (/CERT|TLS|SSL|SELF_SIGNED/.test(code)) return message('server_untrusted');
  if (code.startsWith('HPE_')) return message('server_not_http');
  return message('connection_cut');
}
