import { AppError } from '../../contract/errors.ts';
import type { ArchiveEntry } from './archive-entry.ts';
import type { ArchiveLimits } from './archive-limits.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';
import { sniffArchive } from './sniff-archive.ts';
import { createUniquePaths } from './unique-paths.ts';

/**
 * The files of a zip, tar or tar.gz, told apart by content, one after the other with flat memory. Nothing is written anywhere. Hidden and
 * system entries are passed over; an archive inside is an ordinary file. Two files of one name get paths of their own.
 *
 * What is wrong with one entry (a link, a device, a checksum, a compression that is not supported) is that entry's problem. A failure
 * while entries are asked for means the whole archive: drop what came before it.
 * @param fileName The name that the person gave the archive, for messages.
 * @throws AppError `invalid_request` when it is no archive, empty, truncated or damaged between its files, holds paths that lead outside or
 * passes a limit; `storage_failed` when it cannot be read; AbortError.
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
  if (seen.entries === 0) throw new AppError('invalid_request', 'The archive is empty');
}
