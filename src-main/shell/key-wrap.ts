import { safeStorage } from 'electron';
import type { KeyWrap } from '../core/ports/secret-box.ts';

/** Wraps keys by what the operating system keeps for the person; undefined where it keeps nothing. Only once the app is ready. */
export function systemKeyWrap(): KeyWrap | undefined {
  if (!safeStorage.isEncryptionAvailable()) return undefined;
  return {
    wrap: (key) => safeStorage.encryptString(key.toString('base64')),
    unwrap: (wrapped) => Buffer.from(safeStorage.decryptString(wrapped), 'base64'),
  };
}
