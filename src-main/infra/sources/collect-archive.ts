import type { Readable } from 'node:stream';
import type { NewFile } from '../../core/ports/dataset-files.ts';
import { type ArchiveEntry, EntryProblem } from '../archives/archive-entry.ts';
import type { ArchiveLimits } from '../archives/archive-limits.ts';
import { readArchive } from '../archives/read-archive.ts';
import { fileKindOf } from '../files/file-kinds.ts';

const BATCH = 50;

type Keep = (content: Readable, fileName: string) => Promise<Pick<NewFile, 'location' | 'size_bytes' | 'mtime_ms'>>;

/** Yields the media and annotations of an archive, stored one by one as they are read. Entries that an earlier run stored are skipped. */
export async function* collectArchive(options: {
  path: string;
  file_name: string;
  limits: ArchiveLimits;
  keep: Keep;
  known: (filePaths: string[]) => Promise<string[]>;
  signal: AbortSignal;
}): AsyncGenerator<NewFile[]> {
  const { path, file_name, limits, keep, known, signal } = options;
  let batch: NewFile[] = [];
  for await (const entry of readArchive(path, file_name, limits, signal)) {
    const kind = fileKindOf(entry.path);
    if (kind === undefined) continue;
    if ((await known([entry.path])).length > 0) continue;
    batch.push({ file_path: entry.path, kind, ...(await keptOrProblem(entry, keep)) });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Stores an entry and returns its path, or the reason why it could not be stored. */
async function keptOrProblem(
  entry: ArchiveEntry,
  keep: Keep,
): Promise<Pick<NewFile, 'location' | 'size_bytes' | 'mtime_ms' | 'problem'>> {
  try {
    return await keep(entry.open(), entry.path);
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    const problem = { kind: error.kind, reason: error.reason };
    return { location: '', size_bytes: entry.size_bytes, mtime_ms: 0, problem };
  }
}
