import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { archiveFailure } from './archive-failure.ts';
import { shownName } from './entry-path.ts';
import { isTarHeader, TAR_BLOCK_BYTES } from './tar-header.ts';

export type ArchiveFormat = 'zip' | 'tar' | 'tar.gz';

/** Maximum size in bytes of a zip's end record and the comment after it. */
const ZIP_TAIL = 22 + 0xffff;
/** Signatures of a local file, of the end record of an empty zip, and of a split zip. */
const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1');
/** First bytes of unsupported archive formats, which are detected only to name them in the error. */
const OTHERS: [string, string][] = [
  ['7z\xbc\xaf\x27\x1c', '7z'],
  ['Rar!\x1a\x07', 'RAR'],
  ['\xfd7zXZ\0', 'xz'],
  ['BZh', 'bzip2'],
  ['\x28\xb5\x2f\xfd', 'Zstandard'],
];

/**
 * Detects an archive's format by its content.
 * @param fileName The archive's name as the user gave it, for messages.
 * @throws AppError `invalid_request` for an unsupported format; `storage_failed` when the file cannot be read.
 */
export async function sniffArchive(path: string, fileName: string): Promise<ArchiveFormat> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    const head = await readAt(file, 0, TAR_BLOCK_BYTES);
    const name = shownName(fileName);
    if (head.length === 0) throw new AppError('invalid_request', message('archive_file_empty', { name }));
    const start = head.toString('latin1');
    if (ZIP_STARTS.some((magic) => start.startsWith(magic))) return 'zip';
    if (start.startsWith('\x1f\x8b')) {
      if (isTarBlock(await firstUnpacked(path))) return 'tar.gz';
      throw new AppError('invalid_request', message('archive_gzip_without_tar', { name }));
    }
    if (isTarBlock(head)) return 'tar';
    const other = OTHERS.find(([magic]) => start.startsWith(magic));
    if (other) {
      throw new AppError('invalid_request', message('archive_format_unsupported', { name, format: other[1] }));
    }
    // Self-extracting programs contain a zip after their code.
    if ((await readAt(file, Math.max(0, size - ZIP_TAIL), ZIP_TAIL)).includes(ZIP_END)) return 'zip';
    throw new AppError('invalid_request', message('archive_format_unknown', { name }));
  } catch (error) {
    throw archiveFailure(error);
  } finally {
    await file?.close();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function firstUnpacked(path: string): Promise<Buffer> {
  const source = createReadStream(path);
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  let head = Buffer.alloc(0);
  try {
    for await (const chunk of unpacked) {
      head = Buffer.concat([head, chunk]);
      if (head.length >= TAR_BLOCK_BYTES) break;
    }
  } finally {
    source.destroy();
  }
  return head;
}

/** Whether a block is a tar header. A damaged header with the magic number counts, so that the error can name the format. */
function isTarBlock(block: Buffer): boolean {
  if (block.length < TAR_BLOCK_BYTES) return false;
  return block.toString('latin1', 257, 262) === 'ustar' || isTarHeader(block);
}
