import { hash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Principal } from '../core.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * Validity window of URLs in seconds. A URL stays the same within a window, so that browsers can cache the response, and works for one to
 * two windows.
 */
const WINDOW_S = 24 * 3600;
/** Number of base64url characters of a signature: 132 of the hash's 256 bits. */
const SIGNATURE_LETTERS = 22;

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

export type MediaKind = 'media' | 'thumbnail' | 'cover' | 'export';

/**
 * Signs a URL of one dataset for one reader.
 * @param mediaId For a cover: the ids of its items, separated by commas.
 * @param version Changes with the content, so that browsers fetch changed content again; left out if the content never changes.
 */
export type SignUrl = (kind: MediaKind, mediaId: string, version?: number | string) => string;

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

  /** Returns a function that signs URLs for one reader, all with the same expiry. Use it for one response; do not store it. */
  signer({ baseUrl, principal }: UrlReader, datasetId: string): SignUrl {
    const user = readerIdOf(principal);
    const expires = String((Math.floor(this.#nowS() / WINDOW_S) + 2) * WINDOW_S);
    const userTag = user === '' ? '' : `&u=${user}`;
    return (kind, mediaId, version) => {
      const signature = this.#signature(kind, datasetId, mediaId, user, expires);
      const address = `${baseUrl}/api/v1/${kind}/${datasetId}/${mediaId}?expires=${expires}&signature=${signature}${userTag}`;
      return version === undefined ? address : `${address}&v=${version}`;
    };
  }

  /** @throws AppError `forbidden` if the signature is wrong or the URL has expired. */
  verify(kind: MediaKind, input: SignedAddress): void {
    const { dataset_id, media_id, u = '', expires } = input;
    const expected = Buffer.from(this.#signature(kind, dataset_id, media_id, u, expires));
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

  /**
   * The secret and the signed fields, hashed in one call: a page carries two thousand signatures, and HMAC takes three times as long,
   * SHA-512 twice. The 124 bits that are cut from the hash prevent length extension: nobody can append to the signed text.
   */
  #signature(kind: MediaKind, datasetId: string, mediaId: string, user: string, expires: string): string {
    const signed = `${this.#secret}\n${kind}\n${datasetId}\n${mediaId}\n${user}\n${expires}`;
    return hash('sha256', signed, 'base64url').slice(0, SIGNATURE_LETTERS);
  }
}
