import { AppError } from '../../contract/errors.ts';
import { mediaNames } from '../files/media-names.ts';
import type { ArchiveLimits } from './archive-limits.ts';
import { readArchive } from './read-archive.ts';

export interface ArchiveSummary {
  /** Files that can be read and are neither hidden nor a system's. */
  n_entries: number;
  n_media: number;
  /** Archives inside, which are not opened. */
  n_archives: number;
  /** All files unpacked, as declared. */
  total_bytes: number;
  /** The first file that cannot be read, as far as the archive's list tells. */
  problem: string | null;
}

/**
 * Goes through an archive without unpacking files, to refuse it before anything of it is kept: a zip by its directory, a tar by reading
 * through it. Finds everything that `readArchive` finds but damage inside the files of a zip.
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
      summary.problem ??= entry.problem.message;
      continue;
    }
    summary.n_entries += 1;
    summary.total_bytes += entry.size_bytes;
    if (mediaNames.isImage(entry.path) || mediaNames.isVideo(entry.path)) summary.n_media += 1;
    else if (/\.(zip|tar|tgz|gz|7z|rar|bz2|xz|zst)$/i.test(entry.path)) summary.n_archives += 1;
  }
  return summary;
}

/** @throws AppError `invalid_request` when there is nothing in the archive to show. */
export function refuseWithoutMedia(summary: ArchiveSummary): void {
  if (summary.n_media > 0) return;
  if (summary.problem !== null) throw new AppError('invalid_request', summary.problem);
  throw new AppError(
    'invalid_request',
    summary.n_archives > 0
      ? 'The archive holds no media files; archives inside archives are not opened'
      : 'The archive holds no media files',
  );
}
