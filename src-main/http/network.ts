import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../contract/errors.ts';

/** Where the server can be reached, and by which names. */
export interface Network {
  /** Address that it listens on. */
  host: string;
  /** PEM texts; undefined: plain HTTP. */
  tls: { cert: string; key: string } | undefined;
  /** Names that requests may be addressed to, beside those of this machine; lower case, without ports. */
  names: readonly string[];
  /** Requests may be addressed to it by any IP address: no foreign name can stand for one. */
  allowsAddresses: boolean;
  /** Which proxies may say by `X-Forwarded-*` where a request came from: fastify's `trustProxy`, their addresses or a test of a hop. */
  trustProxy: false | string | TrustHop;
}

/** What the desktop does, and a server that nobody told otherwise. */
export const LOOPBACK: Network = {
  host: '127.0.0.1',
  tls: undefined,
  names: [],
  allowsAddresses: false,
  trustProxy: false,
};

/** @param hop 0: who connects to the server itself. */
type TrustHop = (address: string, hop: number) => boolean;

/** What a proxy hands on of the callers' own `X-Forwarded-For` is nobody's word. */
const trustNearest: TrustHop = (_address, hop) => hop === 0;

export interface NetworkOptions {
  host: string | undefined;
  tlsCert: string | undefined;
  tlsKey: string | undefined;
}

/** Addresses that have a name with fastify. */
const PROXY_GROUPS = new Set(['loopback', 'linklocal', 'uniquelocal']);

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * From the command line, `ALLOWED_HOSTS` (names with commas between them) and `TRUST_PROXY` (`true`, or addresses with commas between them).
 * @throws AppError `invalid_request` for a host beyond this machine where nobody is asked who they are, for certificate files that cannot
 * be read, and for proxies that are no addresses.
 */
export function readNetwork(
  { host = LOOPBACK.host, tlsCert, tlsKey }: NetworkOptions,
  environment: Readonly<Record<string, string | undefined>>,
  authentication: boolean,
): Network {
  if (!authentication && !isLoopback(host)) {
    throw new AppError(
      'invalid_request',
      `With authentication off everybody who reaches ${host} would own everything. Set DISABLE_AUTH=false, or leave --host out`,
    );
  }
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new AppError('invalid_request', '--tls-cert and --tls-key belong together');
  }
  const tls =
    tlsCert && tlsKey ? { cert: readPem('--tls-cert', tlsCert), key: readPem('--tls-key', tlsKey) } : undefined;
  return {
    host,
    tls,
    names: [...wordsOf(environment.ALLOWED_HOSTS), ...(isIP(host) === 0 ? [host] : [])].map((name) =>
      name.toLowerCase(),
    ),
    allowsAddresses: authentication,
    trustProxy: trustOf(environment.TRUST_PROXY),
  };
}

/** The address of a server for programs on this machine, and for people: by the first name that it was given. */
export function addressesOf({ host, names, tls }: Network, port: number): { local: string; shown: string } {
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const reachable = isAnywhere ? LOOPBACK.host : host;
  const url = (name: string) => `${tls ? 'https' : 'http'}://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
  return { local: url(reachable), shown: url(names[0] ?? reachable) };
}

function isLoopback(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host === 'localhost' : loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

function readPem(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new AppError('invalid_request', `The file of ${option} cannot be read`);
  }
}

function trustOf(text: string | undefined): Network['trustProxy'] {
  const words = wordsOf(text);
  const [word = 'false'] = words;
  if (words.length <= 1 && ['false', '0'].includes(word.toLowerCase())) return false;
  if (words.length === 1 && ['true', '1'].includes(word.toLowerCase())) return trustNearest;
  if (words.every((each) => PROXY_GROUPS.has(each) || isIP(each) !== 0 || ipaddr.isValidCIDR(each)))
    return words.join(',');
  throw new AppError('invalid_request', 'TRUST_PROXY takes true, or addresses and networks (10.0.0.0/8) of proxies');
}

function wordsOf(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,]+/).filter((word) => word !== '');
}
