import { isAbsolute, relative, sep } from 'node:path';
import type Database from 'better-sqlite3';
import type { SourceRow } from '../../../core/ports/dataset-sources.ts';
import { resolveLocation } from './locations.ts';

/**
 * Returns a function that tells whether a file was already imported from a folder that contains, or is inside, the folder of its source.
 * Folders may overlap, items may not. Use it for the files of one batch: it reads the sources once.
 */
export function inOtherFolder(db: Database.Database): (file: { source_id: string; location: string }) => boolean {
  const folders = db.prepare<[], SourceRow>(`SELECT source_id, kind, root FROM source WHERE kind = 'folder'`).all();
  const find = db.prepare<[string, string]>(
    `SELECT 1 FROM file WHERE source_id = ? AND file_path = ? AND state NOT IN ('failed', 'missing')`,
  );
  return ({ source_id, location }) => {
    const own = folders.find((folder) => folder.source_id === source_id);
    if (!own) return false;
    const path = resolveLocation('', own, location);
    return folders.some((other) => {
      if (other === own || other.root === '') return false;
      const below = relative(other.root, path);
      const isInside = !below.startsWith('..') && !isAbsolute(below);
      return isInside && find.get(other.source_id, below.split(sep).join('/')) !== undefined;
    });
  };
}
