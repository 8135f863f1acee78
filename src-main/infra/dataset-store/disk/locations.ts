import { join } from 'node:path';
import type { SourceRow } from '../../../core/ports/dataset-store.ts';

/** The absolute path of a file of a source. */
export function resolveLocation(
  data_folder: string,
  source: Pick<SourceRow, 'kind' | 'root'>,
  location: string,
): string {
  return source.kind === 'stored' ? join(data_folder, source.root, location) : join(source.root, location);
}

/** The last part of a `/`-separated path. */
export function fileName(file_path: string): string {
  return file_path.slice(file_path.lastIndexOf('/') + 1);
}
