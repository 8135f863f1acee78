import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const BYTES = 32;

/** A random key kept in the data folder, readable by its owner only; made at first use. */
export async function loadSecret(folder: string, fileName: string): Promise<Buffer> {
  const file = join(folder, fileName);
  const known = await readSecret(file);
  if (known?.length === BYTES) return known;
  const made = randomBytes(BYTES);
  await writeSecret(file, made);
  return made;
}

/** Undefined where there is none. */
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
