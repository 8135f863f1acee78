import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const BYTES = 32;

/** Loads a random key from the data folder. It is readable by its owner only and created at first use. */
export async function loadSecret(folder: string, fileName: string): Promise<Buffer> {
  const file = join(folder, fileName);
  const known = await readSecret(file);
  if (known?.length === BYTES) return known;
  const made = randomBytes(BYTES);
  await writeSecret(file, made);
  return made;
}

/** Undefined when the file does not exist. */
export async function readSecret(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

export function writeSecret(file: string, secret: Buffer): Promise<void> {
  return writeFile(file, secret, { mode: 0o600 });
}
