import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import { isHiddenPath } from '../files/hidden-names.ts';
import { type ArchiveEntry, EntryProblem, unusableEntry } from './archive-entry.ts';
import { archiveFailure } from './archive-failure.ts';
import { type ArchiveLimits, checkRatio, createArchiveBudget, tooLarge } from './archive-limits.ts';
import { type ByteSource, openFileSource, openGzipSource, readExactly } from './byte-source.ts';
import { nameProblem, shownName, toEntryPath } from './entry-path.ts';
import { decodePaxRecords, decodeTarHeader, TAR_BLOCK_BYTES, type TarHeader, text } from './tar-header.ts';

const CHUNK_BYTES = 64 * 1024;
/** Maximum size of an extended header in bytes. Its largest valid content are names of a few thousand characters. */
const MAX_EXTENDED_BYTES = 1024 * 1024;
/** Bytes allowed per entry for headers and padding, in addition to the limit on file content. */
const OVERHEAD_BYTES = 4096;
/** Type flags of entries without content, whatever size they state (POSIX, pax: "ustar Interchange Format"). */
const WITHOUT_CONTENT = new Set(['1', '2', '3', '4', '5', '6']);

/**
 * Reads the files of a tar, plain or compressed with gzip, in order. Files that are not opened are skipped; in a plain tar skipping reads
 * nothing.
 * @param seen Counts entries of every kind, including those that are not returned.
 * @throws AppError as `readArchive`.
 */
export async function* readTar(
  path: string,
  compressed: boolean,
  limits: ArchiveLimits,
  signal: AbortSignal,
  seen: { entries: number },
): AsyncGenerator<ArchiveEntry> {
  let source: ByteSource | undefined;
  try {
    const { size } = await stat(path);
    const budget = createArchiveBudget(limits, size);
    source = compressed ? openGzipSource(path, signal, createMeter(limits)) : await openFileSource(path);
    for (let header = await nextHeader(source); header !== null; header = await nextHeader(source)) {
      signal.throwIfAborted();
      budget.count();
      seen.entries += 1;
      const file = toFile(header, limits);
      if (file === null || file.problem !== null) {
        if (file?.problem && !isHiddenPath(file.path)) yield unusableEntry(file.path, file.problem);
        await source.skip(WITHOUT_CONTENT.has(header.type) ? 0 : padded(header.size_bytes));
        continue;
      }
      budget.add(header.name, file.size_bytes, null);
      const content = createContent(source, file.size_bytes, signal);
      if (!isHiddenPath(file.path)) yield { ...file, open: content.open };
      await content.skipRest();
    }
    // The checksum of the compressed data follows its last byte.
    if (compressed) while ((await source.next(CHUNK_BYTES)) !== null) signal.throwIfAborted();
  } catch (error) {
    throw archiveFailure(error);
  } finally {
    await source?.close();
  }
}

function createMeter(limits: ArchiveLimits): (unpackedBytes: number, packedBytes: number) => void {
  const maxBytes = limits.max_total_bytes + limits.max_entries * OVERHEAD_BYTES;
  return (unpackedBytes, packedBytes) => {
    checkRatio(limits, unpackedBytes, packedBytes);
    if (unpackedBytes > maxBytes) throw tooLarge(limits);
  };
}

/**
 * Returns the next header combined with the extended headers before it; null at the end. Global headers contain nothing that is used here.
 */
async function nextHeader(source: ByteSource): Promise<TarHeader | null> {
  let longName: string | undefined;
  let records = new Map<string, string>();
  let zeros = 0;
  while (zeros < 2) {
    const block = await readExactly(source, TAR_BLOCK_BYTES);
    if (block === null) break;
    const header = decodeTarHeader(block);
    if (header === null) {
      zeros += 1;
    } else if (header.type === 'L') {
      const data = await extended(source, header);
      longName = text(data, 0, data.length);
    } else if (header.type === 'x' || header.type === 'X') {
      records = decodePaxRecords(await extended(source, header));
    } else if (header.type === 'K' || header.type === 'g') {
      await extended(source, header);
    } else {
      return described(header, longName, records);
    }
  }
  return null;
}

function described(header: TarHeader, longName: string | undefined, records: Map<string, string>): TarHeader {
  const stated = records.get('size');
  const sizeBytes = stated === undefined ? header.size_bytes : Number(stated);
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) {
    throw new AppError('invalid_request', message('tar_size_damaged'));
  }
  // Sparse files of the newer formats are plain files with attributes (GNU tar manual, "Storing Sparse Files").
  const sparse = [...records.keys()].some((key) => key.startsWith('GNU.sparse.'));
  return {
    name: records.get('path') ?? longName ?? header.name,
    size_bytes: sizeBytes,
    type: sparse ? 'S' : header.type,
  };
}

async function extended(source: ByteSource, header: TarHeader): Promise<Buffer> {
  if (header.size_bytes > MAX_EXTENDED_BYTES) {
    throw new AppError('invalid_request', message('tar_header_too_long'));
  }
  const data = await readExactly(source, header.size_bytes);
  await source.skip(padded(header.size_bytes) - header.size_bytes);
  if (data === null && header.size_bytes > 0) {
    throw new AppError('invalid_request', message('archive_truncated'));
  }
  return data ?? Buffer.alloc(0);
}

/**
 * Returns the file that a header announces, or its problem; null for a folder or a label.
 * @throws AppError for a path outside the archive.
 */
function toFile(
  header: TarHeader,
  limits: ArchiveLimits,
): { path: string; size_bytes: number; problem: EntryProblem | null } | null {
  const { name, type, size_bytes } = header;
  if (type === 'V') return null;
  const path = toEntryPath(name, limits.max_depth);
  if (type === '5' || type === 'D') return null;
  const isFile = type === '0' || type === '7';
  // Old archives mark folders by a slash at the end of the name instead of a type.
  if (isFile && name.endsWith('/')) return null;
  if (!isFile) {
    const problem = new EntryProblem('unsupported', message(codeOfKind(type), { name: shownName(name) }));
    return { path, size_bytes, problem };
  }
  return { path, size_bytes, problem: nameProblem(path) };
}

/** Returns the code of the problem of an entry that is not a file, by its type flag. */
function codeOfKind(type: string) {
  if (type === '1' || type === '2') return 'archive_entry_is_link';
  if (type === '3' || type === '4' || type === '6') return 'archive_entry_is_device';
  if (type === 'S') return 'archive_entry_is_sparse';
  return type === 'M' ? 'archive_entry_in_parts' : 'archive_entry_of_unknown_kind';
}

/**
 * Creates the stream of one file's content. Reading and skipping share the source: skipping waits for a pending read and ends the stream.
 */
function createContent(
  source: ByteSource,
  sizeBytes: number,
  signal: AbortSignal,
): { open: () => Readable; skipRest: () => Promise<void> } {
  let missing = sizeBytes;
  let passed = false;
  let reading: Promise<unknown> = Promise.resolve();
  const read = async (): Promise<Buffer> => {
    const part = await source.next(Math.min(missing, CHUNK_BYTES));
    if (part === null) throw new AppError('invalid_request', message('archive_truncated'));
    missing -= part.length;
    return part;
  };
  async function* parts(): AsyncGenerator<Buffer> {
    try {
      while (missing > 0) {
        signal.throwIfAborted();
        if (passed) throw new Error('The archive has gone on to its next entry');
        const part = read();
        reading = part.catch(() => undefined);
        yield await part;
      }
    } catch (error) {
      throw archiveFailure(error);
    }
  }
  return {
    open: () => Readable.from(parts(), { objectMode: false }),
    skipRest: async () => {
      passed = true;
      await reading;
      await source.skip(missing + padded(sizeBytes) - sizeBytes);
    },
  };
}

function padded(sizeBytes: number): number {
  return Math.ceil(sizeBytes / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES;
}
