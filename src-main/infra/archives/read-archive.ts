import { AppError } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import type { ArchiveLimits } from './archive-limits.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';
import { sniffArchive } from './sniff-archive.ts';
import { createUniquePaths } from './unique-paths.ts';

/**
 * Reads the files of a zip, tar or tar.gz, detected by content, one by one with constant memory use. Writes nothing. Hidden and system
 * entries are skipped; a nested archive is an ordinary file. Files with equal names get different paths.
 * A problem of one entry (link, device, wrong checksum, unsupported compression) is reported on that entry. An error while the next entry
 * is requested concerns the whole archive: discard the entries that came before.
 * @param fileName The archive's name as the user gave it, for messages.
 * @throws AppError `invalid_request` when the file is no archive, empty, truncated, damaged between its files, contains paths outside the
 *   archive or exceeds a limit; `storage_failed` when it cannot be read; AbortError.
 */
export async function* readArchive(
  path: string,
  fileName: string,
  limits: ArchiveLimits,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry> {
  signal.throwIfAborted();
  const format = await sniffArchive(path, fileName);
  const seen = { entries: 0 };
  const entries =
    format === 'zip' ? readZip(path, limits, signal, seen) : readTar(path, format === 'tar.gz', limits, signal, seen);
  const unique = createUniquePaths();
  for await (const entry of entries) yield { ...entry, path: unique(entry.path) };
  if (seen.entries === 0) throw new AppError('invalid_request', message('archive_empty'));
}
