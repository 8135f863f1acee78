import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** Bytes that are gathered before they are written: most images are one write, and memory stays flat for the rest. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Writes content that is being received to a new file and hashes it on the way, so that nothing has to read it again.
 * @returns `content_hash` as SHA-256 in hexadecimal. What was written stays when it fails.
 */
export async function spoolFile(
  content: AsyncIterable<Buffer>,
  path: string,
): Promise<{ size_bytes: number; content_hash: string }> {
  const hash = createHash('sha256');
  const pieces: Buffer[] = [];
  let heldBytes = 0;
  let sizeBytes = 0;
  let file: FileHandle | undefined;
  try {
    for await (const piece of content) {
      hash.update(piece);
      pieces.push(piece);
      heldBytes += piece.length;
      sizeBytes += piece.length;
      if (heldBytes < PIECE_BYTES) continue;
      file ??= await open(path, 'wx');
      await file.writeFile(Buffer.concat(pieces.splice(0)));
      heldBytes = 0;
    }
    file ??= await open(path, 'wx');
    if (heldBytes > 0) await file.writeFile(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces));
  } finally {
    await file?.close();
  }
  return { size_bytes: sizeBytes, content_hash: hash.digest('hex') };
}
