import { hash } from 'node:crypto';
import { errors, type JWTHeaderParameters, jwtVerify } from 'jose';
import type { Clock } from '../ports/clock.ts';
import type { SecretBox } from '../ports/secret-box.ts';
import type { CredentialRepository } from './credential.repository.ts';

const ISSUER = 'sdk';
/** Clocks of clients may be wrong by so much. */
const SKEW_S = 30;
/** A token lasts so long at most: one that is good for longer is a key that nobody can read when it was given away. */
const MAX_LIFETIME_S = 366 * 24 * 3600;
/** Verified tokens that are remembered; the oldest gives way. */
const MOST_KEPT = 10_000;

export interface TokenVerifierParts {
  credentials: CredentialRepository;
  box: SecretBox;
  clock: Clock;
}

/** Tokens as interface section 5 describes them: JWTs that a client signs by HS256 with the secret of its API key. */
export class TokenVerifier {
  readonly #parts: TokenVerifierParts;
  /** By hash of the token: its key, and when it expires in seconds since the epoch. Whether the key is still there is not kept. */
  readonly #verified = new Map<string, { api_key: string; expires_s: number }>();

  constructor(parts: TokenVerifierParts) {
    this.#parts = parts;
  }

  /** The API key that signed a token; undefined for everything that is not a good token. */
  async verify(token: string): Promise<string | undefined> {
    const nowS = this.#parts.clock.now() / 1000;
    const digest = hash('sha256', token, 'base64url');
    const known = this.#verified.get(digest);
    if (known) {
      if (known.expires_s > nowS - SKEW_S) return known.api_key;
      this.#verified.delete(digest);
      return undefined;
    }
    const verified = await this.#verify(token, nowS);
    if (verified) this.#keep(digest, verified);
    return verified?.api_key;
  }

  async #verify(token: string, nowS: number): Promise<{ api_key: string; expires_s: number } | undefined> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, (header) => this.#secretOf(header), {
        algorithms: ['HS256'],
        issuer: ISSUER,
        requiredClaims: ['sub', 'iat', 'exp', 'iss'],
        clockTolerance: SKEW_S,
        currentDate: new Date(nowS * 1000),
      });
      const { sub, iat = Number.NaN, exp = Number.NaN } = payload;
      const isTimely = iat <= nowS + SKEW_S && exp <= nowS + MAX_LIFETIME_S && exp > iat;
      return isTimely && sub !== undefined && sub === protectedHeader.kid
        ? { api_key: sub, expires_s: exp }
        : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /** @throws JOSEError for a key that there is not. */
  #secretOf({ kid }: JWTHeaderParameters): Uint8Array {
    const { credentials, box } = this.#parts;
    const row = typeof kid === 'string' ? credentials.find(kid) : undefined;
    const secret = row && box.open(row.secret);
    if (secret === undefined) throw new errors.JWKSNoMatchingKey();
    return new TextEncoder().encode(secret);
  }

  #keep(digest: string, verified: { api_key: string; expires_s: number }): void {
    const [oldest] = this.#verified.keys();
    if (this.#verified.size >= MOST_KEPT && oldest !== undefined) this.#verified.delete(oldest);
    this.#verified.set(digest, verified);
  }
}
