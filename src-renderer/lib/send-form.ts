/**
 * Sends a request like `fetch` and reports the number of bytes sent, which `fetch` cannot.
 * @throws TypeError without a response. An abort error when the signal fires.
 */
export function send(
  request: { url: string; init: RequestInit },
  onSent: (bytesDone: number, bytesTotal: number) => void,
  signal: AbortSignal | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const exchange = new XMLHttpRequest();
    const stop = () => exchange.abort();
    exchange.open(request.init.method ?? 'GET', request.url);
    exchange.upload.onprogress = ({ loaded, total }) => onSent(loaded, total);
    exchange.onload = () => resolve(new Response(exchange.responseText || null, { status: exchange.status }));
    exchange.onerror = () => reject(new TypeError('The request failed'));
    exchange.onabort = () => reject(new DOMException('The request was stopped', 'AbortError'));
    exchange.onloadend = () => signal?.removeEventListener('abort', stop);
    signal?.addEventListener('abort', stop);
    exchange.send(request.init.body instanceof FormData ? request.init.body : null);
  });
}
