import { SignJWT } from 'jose';

/** How the client proves who calls: an API key with its secret, a ready bearer token, or nothing on a server without accounts. */
export type Credentials = { apiKey: string; apiSecret: string } | { token: string } | undefined;

const LIFETIME_S = 600;
/** A token is replaced this long before it expires. */
const MARGIN_S = 60;

/** Returns a function that gives the `Authorization` header. Tokens made from an API key are reused until shortly before they expire. */
export function createAuthorization(credentials: Credentials): () => Promise<string | undefined> | string | undefined {
  if (credentials === undefined) return () => undefined;
  if ('token' in credentials) return () => `Bearer ${credentials.token}`;
  const { apiKey, apiSecret } = credentials;
  const secret = new TextEncoder().encode(apiSecret);
  let header: Promise<string> | undefined;
  let expiresAt = 0;
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (header === undefined || now > expiresAt - MARGIN_S) {
      expiresAt = now + LIFETIME_S;
      header = new SignJWT()
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: apiKey })
        .setSubject(apiKey)
        .setIssuer('sdk')
        .setIssuedAt(now)
        .setExpirationTime(expiresAt)
        .sign(secret)
        .then((token) => `Bearer ${token}`);
    }
    return header;
  };
}
