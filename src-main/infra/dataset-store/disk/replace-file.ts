import { open, rename } from 'node:fs/promises';

/** Puts a file in the place of one that may be there: who reads it finds either of them whole. */
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
