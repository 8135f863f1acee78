import type { Socket } from 'node:net';
import type { ErrorBody } from '../contract/errors.ts';

/** Not imported: [Note: Modules that load undici]. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Delay before the connection closes: a client that is still sending would lose the answer otherwise. */
const LINGER_MS = 2000;

const REASONS: Readonly<Record<string, readonly [status: number, detail: string, code: ErrorBody['code']]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The address and headers of the request are too long', 'too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time', 'invalid_input'],
};

/** Answers malformed HTTP, which reaches no route, with a JSON object with a string `detail` as any other failure. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const [status, detail, code] = REASONS[error.code ?? ''] ?? [400, 'This is not an HTTP request', 'invalid_input'];
  const body = JSON.stringify({ detail, code } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
