import { errors, type JWTHeaderParameters, jwtVerify } from 'jose';
import type { Clock } from '../ports/clock.ts';
import type { SecretBox } from '../ports/secret-box.ts';
import type { CredentialRepository } from './credential.repository.ts';

const ISSUER = 'sdk';
/** Tolerated difference between the clocks of client and server, in seconds. */
const SKEW_S = 30;
/** Maximum lifetime of a token in seconds. A longer one would be as good as a key, without a record of when it was issued. */
const MAX_LIFETIME_S = 366 * 24 * 3600;

/** The key that signed a valid token, and the token's expiry. */
interface Verified {
  api_key: string;
  until_ms: number;
}

export interface TokenVerifierParts {
  credentials: CredentialRepository;
  box: SecretBox;
  clock: Clock;
}

/** Verifies tokens of interface section 5: JWTs that a client signs by HS256 with the secret of its API key. */
export class TokenVerifier {
  readonly #parts: TokenVerifierParts;

  constructor(parts: TokenVerifierParts) {
    this.#parts = parts;
  }

  /** Returns undefined for every invalid token. */
  async verify(token: string): Promise<Verified | undefined> {
    const nowS = this.#parts.clock.now() / 1000;
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
        ? { api_key: sub, until_ms: (exp + SKEW_S) * 1000 }
        : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /** @throws JOSEError for an unknown key. */
  #secretOf({ kid }: JWTHeaderParameters): Uint8Array {
    const { credentials, box } = this.#parts;
    const row = typeof kid === 'string' ? credentials.find(kid) : undefined;
    const secret = row && box.open(row.secret);
    if (secret === undefined) throw new errors.JWKSNoMatchingKey();
    return new TextEncoder().encode(secret);
  }
}
