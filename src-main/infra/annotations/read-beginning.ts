import { createReadStream } from 'node:fs';

/** Returns the first bytes of a file as UTF-8; a character that is cut at the end is replaced. */
export async function readBeginning(path: string, bytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: bytes - 1 })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
