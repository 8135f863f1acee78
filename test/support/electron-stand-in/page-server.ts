import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type ProtocolHandler = (request: Request) => Promise<Response> | Response;

/*
 * Chromium does not support custom schemes that an app registers. Each origin of such a scheme is therefore served by its own loopback
 * server, which answers every request with the registered handler.
 */
const handlers = new Map<string, ProtocolHandler>();
const origins = new Map<string, string>();

export const protocol = {
  registerSchemesAsPrivileged: (): void => undefined,
  handle: (scheme: string, handler: ProtocolHandler): void => {
    handlers.set(scheme, handler);
  },
};

/** Converts a URL of the app's own scheme to the loopback URL that serves it in Chromium. */
export async function toLoopback(url: string): Promise<string> {
  const origin = originOf(url);
  const served = origins.get(origin) ?? (await serve(origin));
  return served + url.slice(origin.length);
}

/** Converts a loopback URL back to the URL that Electron would report. */
export function fromLoopback(address: string): string {
  for (const [origin, served] of origins) {
    if (address === served || address.startsWith(`${served}/`)) return origin + address.slice(served.length);
  }
  return address;
}

function originOf(url: string): string {
  const { protocol: scheme, host } = new URL(url);
  return `${scheme}//${host}`;
}

async function serve(origin: string): Promise<string> {
  const handler = handlers.get(origin.slice(0, origin.indexOf(':')));
  if (handler === undefined) throw new Error(`Nothing handles ${origin}.`);
  const server = createServer((request, response) => void answer(handler, origin, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page server has no port.');
  const served = `http://127.0.0.1:${address.port}`;
  origins.set(origin, served);
  return served;
}

async function answer(
  handler: ProtocolHandler,
  origin: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const response = await handler(new Request(origin + (incoming.url ?? '/'), { method: incoming.method ?? 'GET' }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}
