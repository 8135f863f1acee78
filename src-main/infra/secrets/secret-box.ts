import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyWrap, SecretBox } from '../../core/ports/secret-box.ts';
import { loadSecret, readSecret, writeSecret } from '../files/secret.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Opens the secret box of a data folder. Its key is a file in the folder, readable by its owner only, and encrypted where the operating
 * system
 * supports that. The encrypted and the plain key are different keys: each opens only secrets that were sealed with it.
 */
export async function openSecretBox(folder: string, wrap: KeyWrap | undefined): Promise<SecretBox> {
  return createSecretBox(wrap ? await loadWrapped(folder, wrap) : await loadSecret(folder, 'credentials.key'));
}

/** Encrypts with AES-256-GCM. A sealed secret is nonce, ciphertext and tag as base64url. */
function createSecretBox(key: Buffer): SecretBox {
  return {
    seal: (secret) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      );
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([opened, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * Loads the encrypted key. A key that cannot be decrypted here, such as one of another computer, is renamed and replaced by a new key: the
 * secrets that it sealed cannot be opened either.
 */
async function loadWrapped(folder: string, wrap: KeyWrap): Promise<Buffer> {
  const file = join(folder, 'credentials.key.wrapped');
  const wrapped = await readSecret(file);
  const known = wrapped && (await unwrapped(wrap, wrapped));
  if (known) return known;
  if (wrapped) await rename(file, `${file}.former`);
  const made = randomBytes(KEY_BYTES);
  await writeSecret(file, await wrap.wrap(made));
  return made;
}

async function unwrapped(wrap: KeyWrap, wrapped: Buffer): Promise<Buffer | undefined> {
  try {
    return await wrap.unwrap(wrapped);
  } catch {
    return undefined;
  }
}
