import { randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 32;
const LOOPBACK = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];

/**
 * What proves to a running server that a caller can read its data folder: commands such as a backup, which act for the local owner. Made at
 * every start, and good from this machine only.
 */
export class CommandKey {
  readonly text = randomBytes(BYTES).toString('base64url');

  fits(token: string, address: string): boolean {
    const given = Buffer.from(token);
    const expected = Buffer.from(this.text);
    return LOOPBACK.includes(address) && given.length === expected.length && timingSafeEqual(given, expected);
  }
}
