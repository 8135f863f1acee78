import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

export interface OidcSettings {
  issuer: string;
  client_id: string;
  client_secret: string;
  name: string;
  creates_users: boolean;
  /** Whether an issuer on this machine may be used over plain HTTP. */
  allows_http: boolean;
}

/**
 * Reads `OIDC_ISSUER`, `OIDC_CLIENT_ID`, `OIDC_CLIENT_SECRET`, `OIDC_NAME`, `OIDC_CREATE_USERS` and `OIDC_ALLOW_HTTP`.
 * @returns undefined if no issuer is set.
 * @throws AppError `invalid_request` for an issuer that is not a URL, that uses plain HTTP without permission or on another machine, or
 * that has no client id.
 */
export function readOidcSettings(environment: Readonly<Record<string, string | undefined>>): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: clientId = '' } = environment;
  if (issuer === '') return undefined;
  if (!URL.canParse(issuer)) throw new AppError('invalid_request', message('oidc_issuer_not_address'));
  if (clientId === '') throw new AppError('invalid_request', message('oidc_client_id_missing'));
  const allowsHttp = isOn(environment.OIDC_ALLOW_HTTP);
  const { protocol, hostname } = new URL(issuer);
  if (protocol !== 'https:' && !(protocol === 'http:' && allowsHttp && LOOPBACK.includes(hostname))) {
    throw new AppError('invalid_request', message('oidc_issuer_not_https'));
  }
  return {
    issuer,
    client_id: clientId,
    client_secret: environment.OIDC_CLIENT_SECRET ?? '',
    name: environment.OIDC_NAME || new URL(issuer).hostname,
    creates_users: isOn(environment.OIDC_CREATE_USERS),
    allows_http: allowsHttp,
  };
}

function isOn(value = ''): boolean {
  return ['true', '1'].includes(value.trim().toLowerCase());
}
