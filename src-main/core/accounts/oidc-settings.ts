import { AppError } from '../../contract/errors.ts';

export interface OidcSettings {
  issuer: string;
  client_id: string;
  client_secret: string;
  name: string;
  creates_users: boolean;
}

/**
 * `OIDC_ISSUER`, `OIDC_CLIENT_ID`, `OIDC_CLIENT_SECRET`, `OIDC_NAME`, `OIDC_CREATE_USERS`; undefined where no issuer is set.
 * @throws AppError `invalid_request` for an issuer that is no address, and one without a client.
 */
export function readOidcSettings(environment: Readonly<Record<string, string | undefined>>): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: clientId = '' } = environment;
  if (issuer === '') return undefined;
  if (!URL.canParse(issuer)) throw new AppError('invalid_request', 'OIDC_ISSUER takes the address of a provider');
  if (clientId === '') throw new AppError('invalid_request', 'OIDC_ISSUER needs OIDC_CLIENT_ID');
  return {
    issuer,
    client_id: clientId,
    client_secret: environment.OIDC_CLIENT_SECRET ?? '',
    name: environment.OIDC_NAME || new URL(issuer).hostname,
    creates_users: ['true', '1'].includes((environment.OIDC_CREATE_USERS ?? '').trim().toLowerCase()),
  };
}
