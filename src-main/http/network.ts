import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../contract/errors.ts';
import { message } from '../contract/messages.ts';

/** The address and the host names that the server answers to. */
export interface Network {
  /** Address to listen on. */
  host: string;
  /** Certificate and key as PEM; undefined for plain HTTP. */
  tls: { cert: string; key: string } | undefined;
  /** Accepted host names besides those of this machine; lower case, without ports. */
  names: readonly string[];
  /** Whether any IP address is accepted as `Host`: DNS rebinding needs a name. */
  allowsAddresses: boolean;
  /** Proxies whose `X-Forwarded-*` headers are trusted: fastify's `trustProxy`, as addresses or as a predicate per hop. */
  trustProxy: false | string | TrustHop;
}

/** The default: this machine only. */
export const LOOPBACK: Network = {
  host: '127.0.0.1',
  tls: undefined,
  names: [],
  allowsAddresses: false,
  trustProxy: false,
};

/** @param hop 0 for the peer that connects to the server. */
type TrustHop = (address: string, hop: number) => boolean;

/** Only the nearest hop is trusted: callers can forge earlier entries of `X-Forwarded-For`. */
const trustNearest: TrustHop = (_address, hop) => hop === 0;

export interface NetworkOptions {
  host: string | undefined;
  tlsCert: string | undefined;
  tlsKey: string | undefined;
}

/** Names that fastify defines for groups of addresses. */
const PROXY_GROUPS = new Set(['loopback', 'linklocal', 'uniquelocal']);

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Reads the command line, `ALLOWED_HOSTS` (comma-separated names) and `TRUST_PROXY` (`true` or comma-separated addresses).
 * @throws AppError `invalid_request` for a host other than loopback without authentication, for unreadable certificate files, and for
 * proxies that are not addresses.
 */
export function readNetwork(
  { host = LOOPBACK.host, tlsCert, tlsKey }: NetworkOptions,
  environment: Readonly<Record<string, string | undefined>>,
  authentication: boolean,
): Network {
  if (!authentication && !isLoopback(host)) {
    throw new AppError('invalid_request', message('open_host_without_authentication', { host }));
  }
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new AppError('invalid_request', message('tls_option_missing'));
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

/** The server's address for programs on this machine, and the one to show to people: its first configured name. */
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
    throw new AppError('invalid_request', message('tls_file_unreadable', { option }));
  }
}

function trustOf(text: string | undefined): Network['trustProxy'] {
  const words = wordsOf(text);
  const [word = 'false'] = words;
  if (words.length <= 1 && ['false', '0'].includes(word.toLowerCase())) return false;
  if (words.length === 1 && ['true', '1'].includes(word.toLowerCase())) return trustNearest;
  if (words.every((each) => PROXY_GROUPS.has(each) || isIP(each) !== 0 || ipaddr.isValidCIDR(each)))
    return words.join(',');
  throw new AppError('invalid_request', message('trust_proxy_invalid'));
}

function wordsOf(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,]+/).filter((word) => word !== '');
}
