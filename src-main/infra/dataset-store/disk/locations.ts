import { join } from 'node:path';
import type { SourceRow } from '../../../core/ports/dataset-sources.ts';

/** Returns the absolute path of a file of a source. */
export function resolveLocation(
  dataFolder: string,
  source: Pick<SourceRow, 'kind' | 'root'>,
  location: string,
): string {
  return source.kind === 'stored' ? join(dataFolder, source.root, location) : join(source.root, location);
}

/** Returns the last part of a `/`-separated path. */
export function fileName(filePath: string): string {
  return filePath.slice(filePath.lastIndexOf('/') + 1);
}
