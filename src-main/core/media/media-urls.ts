import { hash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../ports/clock.ts';

/** A URL stays the same within a window, so that browsers keep what they fetched, and works for one to two windows. */
const WINDOW_S = 24 * 3600;
/** Letters of base64url that are kept: 132 of the hash's 512 bits. */
const SIGNATURE_LETTERS = 22;

export type MediaKind = 'media' | 'thumbnail' | 'cover' | 'export';

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

  /**
   * @param mediaId Of a cover: the ids of its items, with commas between them.
   * @param version Changes with the content, so that browsers, which keep what they fetched, ask again; left out where content never does.
   */
  sign(baseUrl: string, kind: MediaKind, datasetId: string, mediaId: string, version?: number | string): string {
    const expires = String((Math.floor(this.#nowS() / WINDOW_S) + 2) * WINDOW_S);
    const signature = this.#signature(kind, datasetId, mediaId, expires);
    const tag = version === undefined ? '' : `&v=${version}`;
    return `${baseUrl}/api/v1/${kind}/${datasetId}/${mediaId}?expires=${expires}&signature=${signature}${tag}`;
  }

  /** @throws AppError `forbidden` when the signature is wrong or its time is over. */
  verify(kind: MediaKind, input: { dataset_id: string; media_id: string; expires: string; signature: string }): void {
    const expected = Buffer.from(this.#signature(kind, input.dataset_id, input.media_id, input.expires));
    const given = Buffer.from(input.signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new AppError('forbidden', 'The signature of this media address is not valid');
    }
    if (Number(input.expires) < this.#nowS()) throw new AppError('forbidden', 'This media address has expired');
  }

  /** Seconds since the epoch as the clock said at the start: one that is set right meanwhile takes no address away. */
  #nowS(): number {
    return this.#begunS + this.#clock.ticksMs() / 1000;
  }

  /**
   * The secret, then the words, hashed at once: a page carries two thousand signatures, and HMAC takes three times as long. What is cut from
   * the hash keeps anyone from appending words to what was signed.
   */
  #signature(kind: MediaKind, datasetId: string, mediaId: string, expires: string): string {
    const signed = [this.#secret, kind, datasetId, mediaId, expires].join('\n');
    return hash('sha512', signed, 'base64url').slice(0, SIGNATURE_LETTERS);
  }
}
