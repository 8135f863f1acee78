import { safeStorage } from 'electron';
import type { FromCore, ToCore } from '../ipc/core-link.ts';

/** Whether this computer has a key store. Ask only when the app is ready. */
export function hasKeyStore(): boolean {
  return safeStorage.isEncryptionAvailable();
}

/** Encrypts or decrypts a key of the core with the operating system's key store. */
export function answerKey({ type, key_id, key }: FromCore & { type: 'wrap' | 'unwrap' }): ToCore {
  try {
    const bytes = Buffer.from(key);
    const answer =
      type === 'wrap'
        ? safeStorage.encryptString(bytes.toString('base64'))
        : Buffer.from(safeStorage.decryptString(bytes), 'base64');
    return { type: 'key', key_id, key: answer };
  } catch {
    // Another user or computer encrypted it: the core makes a new key.
    return { type: 'key', key_id, key: null };
  }
}
