import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export interface SmallOidcProvider {
  issuer: string;
  /** Claims of the next ID token, in addition to the standard ones. */
  claims: JWTPayload;
  /** Whether the next ID token is signed with a key other than the published one. */
  forges: boolean;
}

/** Starts an OpenID Connect provider on loopback without a sign-in page. Tests choose the claims and the key of its ID tokens. */
export async function startSmallOidcProvider(
  clientId: string,
  finished: (cleanUp: () => Promise<void>) => void,
): Promise<SmallOidcProvider> {
  const published = await generateKeyPair('RS256');
  const other = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(published.publicKey)), kid: 'key', use: 'sig', alg: 'RS256' };
  const provider: SmallOidcProvider = { issuer: '', claims: {}, forges: false };
  let nonce = '';

  const idToken = () => {
    const nowS = Math.floor(Date.now() / 1000);
    const claims = { iss: provider.issuer, aud: clientId, sub: 'someone', iat: nowS, exp: nowS + 600, nonce };
    return new SignJWT({ ...claims, ...provider.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'key' })
      .sign(provider.forges ? other.privateKey : published.privateKey);
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer);
    const send = (body: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    if (url.pathname === '/.well-known/openid-configuration') {
      const at = (path: string) => `${provider.issuer}${path}`;
      return send({
        issuer: provider.issuer,
        authorization_endpoint: at('/authorize'),
        token_endpoint: at('/token'),
        jwks_uri: at('/jwks'),
        id_token_signing_alg_values_supported: ['RS256'],
      });
    }
    if (url.pathname === '/jwks') return send({ keys: [jwk] });
    if (url.pathname === '/authorize') {
      nonce = url.searchParams.get('nonce') ?? '';
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code: 'code', state: url.searchParams.get('state') ?? '' }).toString();
      return response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === '/token') {
      return send({ access_token: 'access', token_type: 'Bearer', id_token: await idToken() });
    }
    return response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  finished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return provider;
}
