import type { NewFile } from '../../core/ports/dataset-files.ts';
import { fileKindOf } from '../files/file-kinds.ts';
import type { ObjectStorage } from '../storage/s3-storage.ts';

/** Yields the media and annotations below an object-storage prefix; they are fetched later. */
export async function* collectObjects(
  storage: ObjectStorage,
  source: { uri: string; assume_role: string | null },
  signal: AbortSignal,
): AsyncGenerator<NewFile[]> {
  for await (const entries of storage.list(source.uri, { assumeRole: source.assume_role ?? undefined, signal })) {
    yield entries.flatMap((entry): NewFile[] => {
      const kind = fileKindOf(entry.path);
      if (kind === undefined) return [];
      const { path: filePath, size_bytes, mtime_ms } = entry;
      return [
        { file_path: filePath, kind, origin: `s3://${entry.bucket}/${entry.key}`, location: '', size_bytes, mtime_ms },
      ];
    });
  }
}
