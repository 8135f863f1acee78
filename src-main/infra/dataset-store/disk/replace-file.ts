import { open, rename } from 'node:fs/promises';

/** Replaces or creates a file atomically: readers find either the old or the new content complete. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const partial = `${file}.partial`;
  const target = await open(partial, 'w');
  try {
    await target.writeFile(content);
    await target.sync();
  } finally {
    await target.close();
  }
  await rename(partial, file);
}
