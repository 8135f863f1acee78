import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { GenerationFacts } from '../../../core/ports/dataset-folders.ts';
import { ID_PREFIX_LENGTH } from '../../../core/ports/item-ids.ts';
import { isSqliteError } from '../../sqlite/open-database.ts';

/** Path pattern of uploaded originals: `media/<batch>`. */
const STORED_ROOT = /^media\/([^/]+)$/;

/** Reads the facts about a dataset from the database of a generation; undefined if the database is missing or unreadable. */
export function readGenerationFacts(folder: string): Omit<GenerationFacts, 'generation'> | undefined {
  const file = join(folder, 'data.db');
  if (!existsSync(file)) return undefined;
  let db: Database.Database | undefined;
  try {
    // Not opened read-only: the write-ahead log left by a crash belongs to the database.
    db = new Database(file);
    return readFacts(db);
  } catch (error) {
    if (isSqliteError(error)) return undefined;
    throw error;
  } finally {
    db?.close();
  }
}

function readFacts(db: Database.Database): Omit<GenerationFacts, 'generation'> {
  const count = (sql: string) => db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${sql}`).get()?.n ?? 0;
  const alive = 'file USING (file_id) WHERE state = ';
  const sources = db.prepare<[], { kind: string; root: string }>('SELECT kind, root FROM source').all();
  const prefixes = db.prepare<[number], string>('SELECT DISTINCT substr(media_id, 1, ?) FROM media').pluck();
  const folder = sources.find(({ kind, root }) => kind === 'folder' && root !== '');
  return {
    n_images: count(`media JOIN ${alive} 'done' AND media_type = 'image'`),
    n_videos: count(`video JOIN ${alive} 'done'`),
    n_objects: count('object'),
    n_file_errors: count(`file WHERE state = 'failed'`),
    created_at: db.prepare<[], { at: string | null }>('SELECT min(created_at) AS at FROM batch').get()?.at ?? null,
    is_indexed: count(`meta WHERE key LIKE 'index:%'`) > 0,
    source_type: folder ? 'FOLDER' : 'UPLOAD',
    source_uri: folder?.root ?? '',
    media_folders: sources.flatMap(({ kind, root }) => (kind === 'stored' && STORED_ROOT.exec(root)?.[1]) || []),
    id_prefixes: prefixes.all(ID_PREFIX_LENGTH),
  };
}
