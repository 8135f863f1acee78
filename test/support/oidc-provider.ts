import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface OidcProvider {
  issuer: string;
  /** Starts to serve one client, which is redirected to the given URL. */
  serve(redirectUri: string): void;
}

export const OIDC_CLIENT = {
  OIDC_CLIENT_ID: 'vitrine',
  OIDC_CLIENT_SECRET: 'a secret of the client and of nobody else',
  OIDC_ALLOW_HTTP: 'true',
};

/**
 * Starts a real OpenID Connect provider on loopback. It accepts every sign-in. The email address is the user name with `@example.org`, and
 * it is verified unless the user name is `unverified`.
 */
export async function startOidcProvider(finished: (cleanUp: () => Promise<void>) => void): Promise<OidcProvider> {
  let answer: RequestListener | undefined;
  const server = createServer((request, response) => answer?.(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  finished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    serve: (redirectUri) => {
      const { OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = OIDC_CLIENT;
      const provider = new Provider(issuer, {
        clients: [{ client_id: OIDC_CLIENT_ID, client_secret: OIDC_CLIENT_SECRET, redirect_uris: [redirectUri] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
        cookies: { keys: ['test'] },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: () => ({
            sub: id,
            email: `${id}@example.org`,
            email_verified: id !== 'unverified',
            given_name: 'Ona',
            family_name: 'Elsewhere',
          }),
        }),
      });
      answer = provider.callback();
    },
  };
}
