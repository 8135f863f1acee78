import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { isHiddenPath } from '../files/hidden-names.ts';
import { type ArchiveEntry, EntryProblem, unusableEntry } from './archive-entry.ts';
import { archiveFailure } from './archive-failure.ts';
import { type ArchiveLimits, createArchiveBudget } from './archive-limits.ts';
import { nameProblem, shownName, toEntryPath } from './entry-path.ts';
import { ZipFileReader } from './zip-file-reader.ts';

/** Names are decoded here, because the library refuses a whole archive for one invalid name. */
const OPTIONS = { autoClose: false, validateEntrySizes: true, decodeStrings: false } as const;
const STORED = 0;
const DEFLATED = 8;
/** Host systems whose upper attribute bits contain a Unix mode (APPNOTE 4.4.2.2). */
const UNIX_HOSTS = [3, 19];
const FILE_KIND = 0o170000;
const KINDS = new Map<number, 'folder' | 'file' | 'link'>([
  [0, 'file'],
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'link'],
]);

/**
 * Reads the files of a zip in the order of its directory, which is authoritative. Unpacks and checks only files that are opened.
 * @param seen Counts entries of every kind, including those that are not returned.
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
    // The library closes the reader by itself only after the archive has been opened.
    zip = await fromRandomAccessReaderPromise(reader, size, OPTIONS);
    const budget = createArchiveBudget(limits, size);
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      budget.count();
      seen.entries += 1;
      const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
      const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
      const filePath = toEntryPath(name, limits.max_depth);
      const kind = kindOf(entry);
      if (kind === 'folder' || (kind === 'file' && name.endsWith('/'))) continue;
      const problem = nameProblem(filePath) ?? problemOf(entry, kind, shownName(name));
      if (problem === null) budget.add(name, entry.uncompressedSize, entry.compressedSize);
      if (isHiddenPath(filePath)) continue;
      if (problem !== null) {
        yield unusableEntry(filePath, problem);
        continue;
      }
      const state: { failure?: unknown } = {};
      const opened = zip;
      yield {
        path: filePath,
        size_bytes: entry.uncompressedSize,
        problem: null,
        open: () => Readable.from(content(opened, { entry, name }, signal, state), { objectMode: false }),
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

function kindOf(entry: Entry): 'file' | 'folder' | 'link' | 'device' {
  const mode = UNIX_HOSTS.includes(entry.versionMadeBy >>> 8) ? (entry.externalFileAttributes >>> 16) & FILE_KIND : 0;
  return KINDS.get(mode) ?? 'device';
}

/** @param name Name for messages. */
function problemOf(entry: Entry, kind: 'file' | 'link' | 'device', name: string): EntryProblem | null {
  if (entry.isEncrypted()) {
    return new EntryProblem('unsupported', message('archive_entry_encrypted', { name }));
  }
  if (kind === 'link') return new EntryProblem('unsupported', message('archive_entry_is_link', { name }));
  if (kind === 'device') {
    return new EntryProblem('unsupported', message('archive_entry_is_device', { name }));
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    const detail = message('archive_compression_unsupported', { method: entry.compressionMethod, name });
    return new EntryProblem('unsupported', detail);
  }
  if (entry.relativeOffsetOfLocalHeader < 0 || entry.uncompressedSize < 0 || entry.compressedSize < 0) {
    return new EntryProblem('unreadable', message('archive_entry_place_damaged', { name }));
  }
  return null;
}

/** Reads the content of an entry. The library checks its length against the directory; the checksum is checked here. */
async function* content(
  zip: ZipFile,
  { entry, name }: { entry: Entry; name: string },
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
      throw new AppError('invalid_request', message('archive_checksum_differs', { name: shownName(name) }));
    }
  } catch (error) {
    const failure = archiveFailure(error);
    const isOwn = failure instanceof AppError && failure.code === 'invalid_request' && !isBomb(error);
    if (isOwn) throw new EntryProblem('unreadable', failure.reason);
    state.failure = failure;
    throw failure;
  }
}

/** Whether an entry unpacked to more than its declared size, on which the limits were checked. */
function isBomb(error: unknown): boolean {
  return error instanceof Error && /too many bytes/.test(error.message);
}
