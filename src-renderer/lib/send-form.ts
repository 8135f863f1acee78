/**
 * Sends a request as `fetch` does, and tells how many bytes of its body are out, which `fetch` cannot.
 * @throws TypeError when no answer comes; an abort error once the signal fires.
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
