import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { AppError } from '../../contract/errors.ts';
import { StalledError } from './partial-file.ts';

export interface GuardedRequests {
  /**
   * Sends a GET for one http(s) URL and gives the answer once its header is there; redirects are not followed.
   * @throws AppError `invalid_request` for another scheme, `forbidden` when the host has no address that is allowed; StalledError; AbortError; errors of the network.
   */
  get(
    url: URL,
    options: { headerMs: number; signal: AbortSignal; headers?: Readonly<Record<string, string>> },
  ): Promise<IncomingMessage>;
  close(): void;
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/**
 * Requests that go to allowed addresses only. What is checked are the numeric addresses that the socket is given to connect to, so that
 * a name that resolves differently the next time gains nothing.
 */
export function createGuardedRequests(isAllowed: (address: string) => boolean): GuardedRequests {
  // How many run at once is for the caller to say: a request that waited for a socket would look stalled.
  const agentOptions = { keepAlive: true, maxFreeSockets: 16 };
  const http = new HttpAgent(agentOptions);
  const https = new HttpsAgent(agentOptions);
  const find = allowedLookup(isAllowed);

  return {
    get: (url, { headerMs, signal, headers }) =>
      new Promise((resolve, reject) => {
        const host = url.hostname.replace(/^\[|\]$/g, '');
        // Numeric hosts are never looked up.
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

/** The system's look-up without the addresses that are not allowed. */
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
  return new AppError('forbidden', 'The address leads to this machine or a private network, which is not allowed');
}
