import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';

// See [Note: Modules that load undici].
const { request: requestHttp } = process.getBuiltinModule('node:http');

interface Sent {
  method: string;
  body: { bytes: Buffer; content_type: string } | undefined;
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
  /** Maximum size of the answer (default: 256 MiB). */
  maxBytes?: number;
  signal: AbortSignal;
}

const MAX_BYTES = 256 * 2 ** 20;

/**
 * Sends a request and returns status and text of the answer. Unlike `fetch` it follows no redirect, sends no headers of a browser, which
 * Ray's dashboard refuses with 405, and survives an answer that comes before the whole request is sent.
 */
export async function sendRequest(
  url: URL,
  { method, body, headers = {}, maxBytes = MAX_BYTES, signal }: Sent,
): Promise<{ status: number; text: string }> {
  const ofBody = body ? { 'content-type': body.content_type, 'content-length': body.bytes.length } : {};
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const sent = send(url, { method, signal, headers: { ...headers, ...ofBody } }, (response) => {
    readText(response, maxBytes).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
  });
  sent.on('error', reject);
  sent.end(body?.bytes);
  return promise;
}

async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`The answer is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
