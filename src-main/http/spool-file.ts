import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** Write buffer in bytes: most images fit into one write. */
const WRITE_CHUNK_BYTES = 1024 * 1024;

/**
 * Writes a stream to a new file and hashes it while writing.
 * @returns `content_hash` as SHA-256 in hexadecimal. After a failure the incomplete file remains.
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
      if (heldBytes < WRITE_CHUNK_BYTES) continue;
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
