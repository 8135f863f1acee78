/** As the interface has it. */
export const MIN_PASSWORD_LENGTH = 8;

/** Letters and digits that are not taken for one another when a person reads them out. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 16;

/** A password of 16 signs, each drawn evenly from {@link SIGNS}: some 92 bits. */
export function newPassword(): string {
  const drawn: string[] = [];
  // Bytes past the last whole multiple would favour the first signs.
  const limit = 256 - (256 % SIGNS.length);
  while (drawn.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < limit && drawn.length < LENGTH) drawn.push(SIGNS.charAt(byte % SIGNS.length));
    }
  }
  return drawn.join('');
}
