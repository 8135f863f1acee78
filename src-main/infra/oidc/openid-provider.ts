import * as client from 'openid-client';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { IdentityProvider, ProvedIdentity } from '../../core/ports/identity-provider.ts';
import type { Log } from '../../core/ports/log.ts';

export interface OpenIdOptions {
  issuer: string;
  client_id: string;
  /** Empty for a public client. */
  client_secret: string;
  name: string;
  /** Whether plain HTTP to the issuer is allowed. */
  allows_http: boolean;
}

const SCOPE = 'openid profile email';
const TIMEOUT_S = 10;
/** Maximum time in seconds by which the provider's clock may be ahead. */
const MAX_CLOCK_SKEW_S = 60;

/**
 * Supports any provider that publishes an OpenID configuration. ID tokens are verified by their signature; the connection alone is not
 * trusted.
 */
export function createOpenIdProvider(options: OpenIdOptions, log: Log, clock: Clock): IdentityProvider {
  let discovered: Promise<client.Configuration> | undefined;

  const configuration = async (): Promise<client.Configuration> => {
    discovered ??= discover(options);
    try {
      return await discovered;
    } catch (error) {
      discovered = undefined;
      log.warn({ err: error, issuer: options.issuer }, 'the identity provider cannot be reached');
      throw new AppError('unavailable', message('identity_provider_unreachable', { provider: options.name }));
    }
  };

  return {
    name: options.name,
    begin: async (redirectUri) => {
      const config = await configuration();
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        code_verifier: client.randomPKCECodeVerifier(),
        redirect_uri: redirectUri,
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.code_verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    },
    finish: async (pending, answer) => {
      const config = await configuration();
      const returned = new URL(pending.redirect_uri);
      returned.search = new URLSearchParams(answer).toString();
      try {
        const tokens = await client.authorizationCodeGrant(config, returned, {
          pkceCodeVerifier: pending.code_verifier,
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          idTokenExpected: true,
        });
        const proved = tokens.claims();
        if (!proved) throw new Error('no ID token');
        if (proved.iat > clock.now() / 1000 + MAX_CLOCK_SKEW_S)
          throw new Error('the ID token was issued in the future');
        const known = config.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(config, tokens.access_token, proved.sub)
          : {};
        return identityOf({ ...known, ...proved });
      } catch (error) {
        log.warn({ err: error, issuer: options.issuer }, 'a login by the identity provider failed');
        throw asAppError(error, options.name);
      }
    },
  };
}

function asAppError(error: unknown, name: string): AppError {
  if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied') {
    return new AppError('forbidden', message('identity_provider_refused', { provider: name }));
  }
  // Errors that fetch throws when the server does not answer, or not in time.
  const isAway = error instanceof TypeError || (error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT');
  if (isAway) return new AppError('unavailable', message('identity_provider_unreachable', { provider: name }));
  return new AppError('unauthenticated', message('identity_provider_unconfirmed', { provider: name }));
}

function discover({ issuer, client_id, client_secret, allows_http }: OpenIdOptions): Promise<client.Configuration> {
  return client.discovery(
    new URL(issuer),
    client_id,
    client_secret === '' ? undefined : client_secret,
    client_secret === '' ? client.None() : undefined,
    {
      timeout: TIMEOUT_S,
      execute: [client.enableNonRepudiationChecks, ...(allows_http ? [client.allowInsecureRequests] : [])],
    },
  );
}

function identityOf(claims: client.IDToken & Record<string, unknown>): ProvedIdentity {
  const text = (name: string) => (typeof claims[name] === 'string' && claims[name] !== '' ? claims[name] : null);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    username: text('preferred_username'),
    email: claims.email_verified === true ? text('email') : null,
    has_unverified_email: claims.email_verified !== true && text('email') !== null,
    first_name: text('given_name'),
    last_name: text('family_name'),
  };
}
