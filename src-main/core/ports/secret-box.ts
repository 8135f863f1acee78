/** Encrypts what has to be read again, for keeping it on the disk. */
export interface SecretBox {
  seal(secret: string): string;
  /** Undefined for what was sealed by another key, or was changed. */
  open(sealed: string): string | undefined;
}

/** Wraps a key by what the operating system keeps for the person at it. */
export interface KeyWrap {
  wrap(key: Buffer): Buffer;
  /** @throws Error for what another person or computer wrapped. */
  unwrap(wrapped: Buffer): Buffer;
}
