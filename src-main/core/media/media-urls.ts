import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Principal } from '../core.ts';
import type { Clock } from '../ports/clock.ts';
import type { UrlSigning } from '../ports/pages.ts';
import { type MediaKind, type SignUrl, signatureOf, urlSigner } from './sign-url.ts';

/**
 * Validity window of URLs in seconds. A URL stays the same within a window, so that browsers can cache the response, and works for one to
 * two windows.
 */
const WINDOW_S = 24 * 3600;
/** The user a URL is signed for, and the address by which they reach the service. A call's context has both. */
export interface UrlReader {
  baseUrl: string;
  principal: Pick<Principal, 'user_id' | 'is_local_owner'>;
}

/** The signed fields of a URL. */
export interface SignedAddress {
  dataset_id: string;
  media_id: string;
  /** Id of the user the URL was signed for; undefined for the local owner. */
  u?: string | undefined;
  expires: string;
  signature: string;
}

/** The user id in a URL; empty for the local owner. */
export function readerIdOf({ user_id, is_local_owner }: UrlReader['principal']): string {
  return is_local_owner ? '' : user_id;
}

/** The error for a URL that has expired, or whose user has lost the permission. */
export function expired(): AppError {
  return new AppError('forbidden', message('media_address_expired'));
}

/** Absolute, signed, time-limited URLs of an item's bytes; usable without an Authorization header. */
export class MediaUrls {
  readonly #secret: string;
  readonly #clock: Clock;
  readonly #begunS: number;

  constructor(secret: Buffer, clock: Clock) {
    this.#secret = secret.toString('hex');
    this.#clock = clock;
    this.#begunS = (clock.now() - clock.ticksMs()) / 1000;
  }

  /** {@link urlSigner} for one reader. */
  signer(reader: UrlReader, datasetId: string): SignUrl {
    return urlSigner(this.signing(reader, datasetId));
  }

  signing({ baseUrl, principal }: UrlReader, datasetId: string): UrlSigning {
    const expires = String((Math.floor(this.#nowS() / WINDOW_S) + 2) * WINDOW_S);
    const user = readerIdOf(principal);
    return { secret: this.#secret, base_url: baseUrl, dataset_id: datasetId, user, expires };
  }

  /** @throws AppError `forbidden` if the signature is wrong or the URL has expired. */
  verify(kind: MediaKind, input: SignedAddress): void {
    const { dataset_id, media_id, u = '', expires } = input;
    const expected = Buffer.from(signatureOf({ secret: this.#secret, dataset_id, user: u, expires }, kind, media_id));
    const given = Buffer.from(input.signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new AppError('forbidden', message('media_address_signature_invalid'));
    }
    if (Number(input.expires) < this.#nowS()) throw expired();
  }

  /** Seconds since the epoch, counted from the clock's time at the start: correcting the clock later does not expire URLs. */
  #nowS(): number {
    return this.#begunS + this.#clock.ticksMs() / 1000;
  }
}
