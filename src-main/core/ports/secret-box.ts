/** Encrypts secrets for storage on disk. */
export interface SecretBox {
  seal(secret: string): string;
  /** Decrypts a secret. @returns Undefined if it was sealed with another key or was changed. */
  open(sealed: string): string | undefined;
}

/** Encrypts a key with the operating system's key store of the signed-in user. */
export interface KeyWrap {
  wrap(key: Buffer): Promise<Buffer>;
  /** @throws Error if another user or computer wrapped the key. */
  unwrap(wrapped: Buffer): Promise<Buffer>;
}
