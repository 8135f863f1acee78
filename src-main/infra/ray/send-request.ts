import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';

// See [Note: Modules that load undici].
const { request: requestHttp } = process.getBuiltinModule('node:http');

interface Sent {
  method: string;
  body: { bytes: Buffer; content_type: string } | undefined;
  signal: AbortSignal;
}

/**
 * Sends a request and returns status and text of the answer. Ray's dashboard refuses requests that change something with 405 if they have the
 * headers of a browser, as those of `fetch` do.
 */
export async function sendRequest(url: URL, { method, body, signal }: Sent): Promise<{ status: number; text: string }> {
  const headers = body && { 'content-type': body.content_type, 'content-length': body.bytes.length };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const sent = send(url, { method, signal, ...(headers && { headers }) }, (response) => {
    text(response).then((content) => resolve({ status: response.statusCode ?? 0, text: content }), reject);
  });
  sent.on('error', reject);
  sent.end(body?.bytes);
  return promise;
}
