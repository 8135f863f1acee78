import type { NewFile } from '../../core/dataset-store.port.ts';
import { mediaNames } from '../files/media-names.ts';
import { isMediaObject, type ObjectStorage } from '../storage/s3-storage.ts';

/** Media below an object-storage prefix, still to be fetched. */
export async function* collectObjects(
  storage: ObjectStorage,
  source: { uri: string; assume_role: string | null },
  signal: AbortSignal,
): AsyncGenerator<NewFile[]> {
  for await (const entries of storage.list(source.uri, { assume_role: source.assume_role ?? undefined, signal })) {
    yield entries.filter(isMediaObject).map((entry) => ({
      file_path: entry.path,
      kind: mediaNames.isVideo(entry.path) ? 'video' : 'image',
      origin: `s3://${entry.bucket}/${entry.key}`,
      location: '',
      size_bytes: entry.size_bytes,
      mtime_ms: entry.mtime_ms,
    }));
  }
}
