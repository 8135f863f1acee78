import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const READ_CHUNK_BYTES = 256 * 1024;

/** See {@link LocalFolders.readContent}. The hash is SHA-256, as for items. */
export async function readContent(
  path: string,
  signal: AbortSignal,
): Promise<{ content_hash: string; size_bytes: number; mtime_ms: number } | undefined> {
  try {
    await using file = await open(path);
    const before = await file.stat();
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(READ_CHUNK_BYTES);
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, READ_CHUNK_BYTES);
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
    }
    const { size, mtimeMs } = await file.stat();
    if (size !== before.size || mtimeMs !== before.mtimeMs) return undefined;
    return { content_hash: hash.digest('hex'), size_bytes: size, mtime_ms: mtimeMs };
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
