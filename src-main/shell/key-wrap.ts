import { safeStorage } from 'electron';
import type { KeyWrap } from '../core/ports/secret-box.ts';

/** Encrypts keys with the operating system's key store; undefined on systems without one. Call only when the app is ready. */
export function systemKeyWrap(): KeyWrap | undefined {
  if (!safeStorage.isEncryptionAvailable()) return undefined;
  return {
    wrap: (key) => safeStorage.encryptString(key.toString('base64')),
    unwrap: (wrapped) => Buffer.from(safeStorage.decryptString(wrapped), 'base64'),
  };
}
