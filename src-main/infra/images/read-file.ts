import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { type Message, message } from '../../contract/messages.ts';
import { ImageProblem } from './image-problem.ts';
import { SNIFF_BYTES } from './sniff-format.ts';

/** Maximum file size in bytes that is read into memory; larger files are hashed in chunks and decoded from their path. */
const MAX_BUFFERED_BYTES = 256 * 1024 * 1024;
/** Number of times that a file which keeps changing is read before it is reported as unreadable. */
const MAX_ATTEMPTS = 3;
const HASH_CHUNK_BYTES = 4 * 1024 * 1024;

export interface FileContent {
  /** Content of the file, or its path when it is too large for memory. */
  input: Buffer | string;
  /** Start of the file, long enough to detect its format. */
  head: Buffer;
  /** SHA-256 of the file's bytes, lower-case hex. */
  content_hash: string;
  size_bytes: number;
  mtime_ms: number;
}

const REASONS: Readonly<Record<string, Message>> = {
  ENOENT: message('file_gone'),
  ENOTDIR: message('file_gone'),
  EACCES: message('file_permission_denied'),
  EPERM: message('file_permission_denied'),
  ELOOP: message('file_link_broken'),
  EIO: message('file_disk_error'),
  EISDIR: message('file_is_folder'),
  ENAMETOOLONG: message('file_path_too_long'),
};

function unreadable(error: unknown): ImageProblem {
  if (error instanceof ImageProblem) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  const reason = REASONS[code] ?? message('file_system_error', { code });
  return new ImageProblem('unreadable', reason, { cause: error });
}

/** Reads an open file in chunks. Returns its SHA-256 and first bytes. */
async function hashInPieces(file: FileHandle): Promise<{ head: Buffer; content_hash: string }> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(HASH_CHUNK_BYTES);
  let head: Buffer | undefined;
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    hash.update(chunk.subarray(0, bytesRead));
    head ??= Buffer.from(chunk.subarray(0, Math.min(SNIFF_BYTES, bytesRead)));
    position += bytesRead;
  }
  return { head: head ?? Buffer.alloc(0), content_hash: hash.digest('hex') };
}

async function readOnce(path: string, before: Stats, maxBufferedBytes: number): Promise<FileContent> {
  // Without O_NONBLOCK, a pipe that replaces the file after the check would block the process forever.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const meta = { size_bytes: before.size, mtime_ms: before.mtimeMs };
    if (before.size > maxBufferedBytes) return { input: path, ...(await hashInPieces(file)), ...meta };
    const input = await file.readFile();
    const contentHash = createHash('sha256').update(input).digest('hex');
    return { input, head: input.subarray(0, SNIFF_BYTES), content_hash: contentHash, ...meta };
  } finally {
    await file.close();
  }
}

/**
 * Reads a file once and hashes it. Reads it again if its size or modification time changed meanwhile, so that hash and pixels belong to the
 * same content.
 * @throws {@link ImageProblem} `unreadable` or `empty`.
 */
export async function readStableFile(path: string, maxBufferedBytes = MAX_BUFFERED_BYTES): Promise<FileContent> {
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const before = await stat(path);
      if (before.isDirectory()) throw new ImageProblem('unreadable', message('file_is_folder'));
      if (!before.isFile()) throw new ImageProblem('unreadable', message('file_not_regular'));
      const content = await readOnce(path, before, maxBufferedBytes);
      const after = await stat(path);
      const length = typeof content.input === 'string' ? before.size : content.input.length;
      if (after.size === before.size && after.mtimeMs === before.mtimeMs && length === after.size) {
        if (after.size === 0) throw new ImageProblem('empty', message('file_empty'));
        return content;
      }
    }
  } catch (error) {
    throw unreadable(error);
  }
  throw new ImageProblem('unreadable', message('file_changing'));
}
