import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const BYTES = 32;

/** A random key kept in the data folder, readable by its owner only; made at first use. */
export async function loadSecret(folder: string, fileName: string): Promise<Buffer> {
  const file = join(folder, fileName);
  try {
    const known = await readFile(file);
    if (known.length === BYTES) return known;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const made = randomBytes(BYTES);
  await writeFile(file, made, { mode: 0o600 });
  return made;
}
