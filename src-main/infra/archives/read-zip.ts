import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { AppError } from '../../contract/errors.ts';
import { isHiddenPath } from '../files/hidden-names.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import { archiveFailure } from './archive-failure.ts';
import { type ArchiveLimits, createArchiveBudget } from './archive-limits.ts';
import { shownName, toEntryPath } from './entry-path.ts';
import { ZipFileReader } from './zip-file-reader.ts';

const OPTIONS = { autoClose: false, validateEntrySizes: true, strictFileNames: false };
const STORED = 0;
const DEFLATED = 8;
/** Systems whose upper attribute bits are a Unix mode (APPNOTE 4.4.2.2). */
const UNIX_HOSTS = [3, 19];
const FILE_KIND = 0o170000;
const KINDS = new Map<number, 'folder' | 'file' | 'link'>([
  [0, 'file'],
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'link'],
]);

/**
 * The files of a zip in the order of its directory, which is what counts; only files that are opened are unpacked and checked.
 * @param seen Counts entries of every kind, also those that are not given out.
 * @throws AppError as `readArchive`.
 */
export async function* readZip(
  path: string,
  limits: ArchiveLimits,
  signal: AbortSignal,
  seen: { entries: number },
): AsyncGenerator<ArchiveEntry> {
  let reader: ZipFileReader | undefined;
  let zip: ZipFile | undefined;
  try {
    const file = await open(path);
    const { size } = await file.stat();
    reader = new ZipFileReader(file, size);
    // The library lets go of the reader by itself only once it is open.
    zip = await fromRandomAccessReaderPromise(reader, size, OPTIONS);
    const budget = createArchiveBudget(limits, size);
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      budget.count();
      seen.entries += 1;
      const filePath = toEntryPath(entry.fileName, limits.max_depth);
      const kind = refuseUnusable(entry);
      if (kind === 'folder') continue;
      if (filePath === '') throw new AppError('invalid_request', 'The archive holds a file without a name');
      budget.add(entry.fileName, entry.uncompressedSize, entry.compressedSize);
      if (isHiddenPath(filePath)) continue;
      const state: { failure?: unknown } = {};
      const opened = zip;
      yield {
        path: filePath,
        size_bytes: entry.uncompressedSize,
        open: () => Readable.from(content(opened, entry, signal, state), { objectMode: false }),
      };
      if (state.failure !== undefined) throw state.failure;
    }
  } catch (error) {
    throw archiveFailure(error);
  } finally {
    if (zip) zip.close();
    else reader?.close(() => undefined);
  }
}

function refuseUnusable(entry: Entry): 'file' | 'folder' {
  const name = shownName(entry.fileName);
  if (entry.isEncrypted()) {
    throw new AppError('invalid_request', `The archive is encrypted (${name}); give it without a password`);
  }
  const mode = UNIX_HOSTS.includes(entry.versionMadeBy >>> 8) ? (entry.externalFileAttributes >>> 16) & FILE_KIND : 0;
  const kind = KINDS.get(mode) ?? 'device';
  if (kind === 'link') throw new AppError('invalid_request', `The archive holds a link, which is not allowed: ${name}`);
  if (kind === 'device') {
    throw new AppError('invalid_request', `The archive holds a device or pipe, which is not allowed: ${name}`);
  }
  if (kind === 'folder' || /[/\\]$/.test(entry.fileName)) return 'folder';
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new AppError(
      'invalid_request',
      `The archive uses a compression method that is not supported (method ${entry.compressionMethod}): ${name}`,
    );
  }
  if (entry.relativeOffsetOfLocalHeader < 0 || entry.uncompressedSize < 0 || entry.compressedSize < 0) {
    throw new AppError('invalid_request', `The archive is damaged: the size or place of ${name} is not valid`);
  }
  return 'file';
}

/** The library holds the length to what the directory says, the checksum is ours. */
async function* content(
  zip: ZipFile,
  entry: Entry,
  signal: AbortSignal,
  state: { failure?: unknown },
): AsyncGenerator<Buffer> {
  let checksum = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      signal.throwIfAborted();
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
    if (checksum !== entry.crc32) {
      throw new AppError(
        'invalid_request',
        `The archive is damaged: the checksum of ${shownName(entry.fileName)} is wrong`,
      );
    }
  } catch (error) {
    state.failure = archiveFailure(error);
    throw state.failure;
  }
}
