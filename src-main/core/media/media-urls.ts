import { hash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import type { Principal } from '../core.ts';
import type { Clock } from '../ports/clock.ts';

/** A URL stays the same within a window, so that browsers keep what they fetched, and works for one to two windows. */
const WINDOW_S = 24 * 3600;
/** Letters of base64url that are kept: 132 of the hash's 256 bits. */
const SIGNATURE_LETTERS = 22;

/** Who is to fetch something, and the address by which they know the service. A call's context is one. */
export interface UrlReader {
  baseUrl: string;
  principal: Pick<Principal, 'user_id' | 'is_local_owner'>;
}

/** What an address says that was signed. */
export interface SignedAddress {
  dataset_id: string;
  media_id: string;
  /** Whom it was given to; undefined: the local owner. */
  u?: string | undefined;
  expires: string;
  signature: string;
}

/** Who somebody is in an address; the local owner is empty. */
export function readerIdOf({ user_id, is_local_owner }: UrlReader['principal']): string {
  return is_local_owner ? '' : user_id;
}

/** Of an address whose time, or whose owner's right to it, is over. */
export function expired(): AppError {
  return new AppError('forbidden', 'This media address has expired');
}

export type MediaKind = 'media' | 'thumbnail' | 'cover' | 'export';

/**
 * The address of something of one dataset for one reader.
 * @param mediaId Of a cover: the ids of its items, with commas between them.
 * @param version Changes with the content, so that browsers, which keep what they fetched, ask again; left out where content never does.
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

  /** Signs for one reader, all addresses for the same time: for one answer, not to be kept. */
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

  /** @throws AppError `forbidden` when the signature is wrong or its time is over. */
  verify(kind: MediaKind, input: SignedAddress): void {
    const { dataset_id, media_id, u = '', expires } = input;
    const expected = Buffer.from(this.#signature(kind, dataset_id, media_id, u, expires));
    const given = Buffer.from(input.signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new AppError('forbidden', 'The signature of this media address is not valid');
    }
    if (Number(input.expires) < this.#nowS()) throw expired();
  }

  /** Seconds since the epoch as the clock said at the start: one that is set right meanwhile takes no address away. */
  #nowS(): number {
    return this.#begunS + this.#clock.ticksMs() / 1000;
  }

  /**
   * The secret, then the words, hashed at once: a page carries two thousand signatures, and HMAC takes three times as long, SHA-512 twice.
   * The 124 bits that are cut from the hash keep anyone from appending words to what was signed.
   */
  #signature(kind: MediaKind, datasetId: string, mediaId: string, user: string, expires: string): string {
    const signed = `${this.#secret}\n${kind}\n${datasetId}\n${mediaId}\n${user}\n${expires}`;
    return hash('sha256', signed, 'base64url').slice(0, SIGNATURE_LETTERS);
  }
}
