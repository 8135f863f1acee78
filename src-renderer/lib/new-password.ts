/** Minimum length, from the contract. */
export const MIN_PASSWORD_LENGTH = 8;

/** Letters and digits that are not confused when read out. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 16;

/** A password of 16 characters, drawn uniformly from {@link SIGNS}: about 92 bits. */
export function newPassword(): string {
  const drawn: string[] = [];
  // Rejects bytes beyond the last whole multiple, which would favour the first characters.
  const limit = 256 - (256 % SIGNS.length);
  while (drawn.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < limit && drawn.length < LENGTH) drawn.push(SIGNS.charAt(byte % SIGNS.length));
    }
  }
  return drawn.join('');
}
