import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { StalledError } from './partial-file.ts';

/**
 * [Note: Modules that load undici]
 * An `import` of `node:http` reads all its exports, and the getter of one of them loads Node's WebSocket client: 13 MB of memory and a tenth
 * of the CPU time of a start (Node 24). `process.getBuiltinModule` returns the module without reading them.
 */
const { Agent: HttpAgent, request: httpRequest } = process.getBuiltinModule('node:http');

export interface GuardedRequests {
  /**
   * Sends a GET request for one http(s) URL and returns the response once its header has arrived; redirects are not followed.
   * @throws AppError `invalid_request` for another scheme, `forbidden` when the host has no allowed address; StalledError; AbortError;
   * errors of
   * the network.
   */
  get(
    url: URL,
    options: { headerMs: number; signal: AbortSignal; headers?: Readonly<Record<string, string>> },
  ): Promise<IncomingMessage>;
  close(): void;
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/**
 * Sends requests to allowed addresses only. The numeric addresses that the socket connects to are checked, so that a host name which
 * resolves
 * differently the next time cannot bypass the check.
 */
export function createGuardedRequests(isAllowed: (address: string) => boolean): GuardedRequests {
  // The caller limits how many requests run at once: a request that waited for a socket would look stalled.
  const agentOptions = { keepAlive: true, maxFreeSockets: 16 };
  const http = new HttpAgent(agentOptions);
  const https = new HttpsAgent(agentOptions);
  const find = allowedLookup(isAllowed);

  return {
    get: (url, { headerMs, signal, headers }) =>
      new Promise((resolve, reject) => {
        const host = url.hostname.replace(/^\[|\]$/g, '');
        // Node does not look up numeric hosts, so they are checked here.
        if (isIP(host) !== 0 && !isAllowed(host)) throw privateAddress();
        const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
        const request = send({
          host,
          port: url.port,
          path: `${url.pathname}${url.search}`,
          agent: url.protocol === 'https:' ? https : http,
          lookup: find,
          signal,
          headers: {
            'user-agent': 'Vitrine',
            accept: '*/*',
            'accept-encoding': 'identity',
            ...headers,
            host: url.host,
          },
          ...(url.username !== '' && {
            auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`,
          }),
        });
        const watchdog = setTimeout(() => request.destroy(new StalledError()), headerMs);
        request.once('close', () => clearTimeout(watchdog));
        request.once('error', reject);
        request.once('response', (answer) => {
          clearTimeout(watchdog);
          resolve(answer);
        });
        request.end();
      }),
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
}

/** The system's DNS lookup, with disallowed addresses removed. */
function allowedLookup(isAllowed: (address: string) => boolean) {
  return (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const found = error ? [] : addresses.filter(({ address }) => isAllowed(address));
      const first = found[0];
      if (error) callback(error, []);
      else if (!first) callback(privateAddress(), []);
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

function privateAddress(): AppError {
  return new AppError('forbidden', message('address_private'));
}
