import { randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 32;

/**
 * A key that proves to a running server that a caller can read its data folder. Commands that act for the local owner, such as a backup,
 * send it. Generated at every start.
 */
export class CommandKey {
  readonly text = randomBytes(BYTES).toString('base64url');

  fits(token: string): boolean {
    const given = Buffer.from(token);
    const expected = Buffer.from(this.text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}
