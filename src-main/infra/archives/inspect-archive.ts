import { AppError } from '../../contract/errors.ts';
import { type Message, message } from '../../contract/messages.ts';
import { mediaNames } from '../files/media-names.ts';
import type { ArchiveLimits } from './archive-limits.ts';
import { readArchive } from './read-archive.ts';

export interface ArchiveSummary {
  /** Number of readable files, without hidden and system files. */
  n_entries: number;
  n_media: number;
  /** Number of nested archives, which are not opened. */
  n_archives: number;
  /** Declared unpacked size of all files. */
  total_bytes: number;
  /** Problem of the first file that cannot be read, as far as the archive's directory shows. */
  problem: Message | null;
}

/**
 * Checks an archive without unpacking files, so that it can be refused before any file is stored: reads the directory of a zip, and all
 * headers of a tar. Finds every problem that `readArchive` finds, except damage inside the files of a zip.
 * @throws AppError as `readArchive`.
 */
export async function inspectArchive(
  path: string,
  fileName: string,
  limits: ArchiveLimits,
  signal: AbortSignal,
): Promise<ArchiveSummary> {
  const summary: ArchiveSummary = { n_entries: 0, n_media: 0, n_archives: 0, total_bytes: 0, problem: null };
  for await (const entry of readArchive(path, fileName, limits, signal)) {
    if (entry.problem) {
      summary.problem ??= entry.problem.reason;
      continue;
    }
    summary.n_entries += 1;
    summary.total_bytes += entry.size_bytes;
    if (mediaNames.isImage(entry.path) || mediaNames.isVideo(entry.path)) summary.n_media += 1;
    else if (/\.(zip|tar|tgz|gz|7z|rar|bz2|xz|zst)$/i.test(entry.path)) summary.n_archives += 1;
  }
  return summary;
}

/** @throws AppError `invalid_request` when the archive contains no media. */
export function refuseWithoutMedia(summary: ArchiveSummary): void {
  if (summary.n_media > 0) return;
  if (summary.problem !== null) throw new AppError('invalid_request', summary.problem);
  throw new AppError(
    'invalid_request',
    summary.n_archives > 0 ? message('archive_with_archives_only') : message('archive_without_media'),
  );
}
