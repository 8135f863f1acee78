import type { Readable } from 'node:stream';
import type { NewFile } from '../../core/ports/dataset-files.ts';
import type { ArchiveLimits } from '../archives/archive-limits.ts';
import { readArchive } from '../archives/read-archive.ts';
import { fileKindOf } from '../files/file-kinds.ts';

const BATCH = 50;

/** Media and annotations of an archive, kept one by one as they are read; those that an earlier run kept are passed over. */
export async function* collectArchive(options: {
  path: string;
  file_name: string;
  limits: ArchiveLimits;
  keep: (content: Readable, fileName: string) => Promise<{ location: string; size_bytes: number; mtime_ms: number }>;
  known: (filePaths: string[]) => Promise<string[]>;
  signal: AbortSignal;
}): AsyncGenerator<NewFile[]> {
  const { path, file_name, limits, keep, known, signal } = options;
  let batch: NewFile[] = [];
  for await (const entry of readArchive(path, file_name, limits, signal)) {
    const kind = fileKindOf(entry.path);
    if (kind === undefined) continue;
    if ((await known([entry.path])).length > 0) continue;
    batch.push({ file_path: entry.path, kind, ...(await keep(entry.open(), entry.path)) });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
