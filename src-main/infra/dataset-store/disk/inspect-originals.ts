import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { message } from '../../../contract/messages.ts';
import type { Damage, InspectionDepth } from '../../../core/ports/damage.ts';
import { resolveLocation } from './locations.ts';

/** Number of files checked together. A quick inspection checks only the last FILES_OF_A_QUICK_LOOK files. */
const FILES_AT_ONCE = 1000;
const FILES_OF_A_QUICK_LOOK = 16;
/** Maximum number of missing files named in a message. */
const MAX_NAMED = 3;
/** Maximum number of missing files listed. */
const MAX_LISTED = 10_000;

interface Original {
  file_id: number;
  file_path: string;
  root: string;
  location: string;
}

const ORIGINALS = `SELECT file_id, file_path, root, location FROM file JOIN source USING (source_id)
  WHERE source.kind = 'stored' AND location IS NOT NULL AND state = 'done'`;

/**
 * Reports missing originals of uploads. Their items keep their thumbnails and vectors. Missing files in users' own folders are not
 * reported: their drives may be disconnected for a while.
 */
export function inspectOriginals(db: Database.Database, dataFolder: string, depth: InspectionDepth): Damage[] {
  const missing: string[] = [];
  const paths: string[] = [];
  let nMissing = 0;
  const inspect = (originals: readonly Original[]) => {
    for (const { file_path, root, location } of originals) {
      if (existsSync(resolveLocation(dataFolder, { kind: 'stored', root }, location))) continue;
      nMissing += 1;
      if (missing.length < MAX_NAMED) missing.push(file_path);
      if (paths.length < MAX_LISTED) paths.push(`${root}/${location}`);
    }
  };
  if (depth === 'quick') {
    inspect(db.prepare<[], Original>(`${ORIGINALS} ORDER BY file_id DESC LIMIT ${FILES_OF_A_QUICK_LOOK}`).all());
  } else {
    const list = db.prepare<[number], Original>(`${ORIGINALS} AND file_id > ? ORDER BY file_id LIMIT ${FILES_AT_ONCE}`);
    for (let page = list.all(-1); page.length > 0; page = list.all(page.at(-1)?.file_id ?? 0)) inspect(page);
  }
  if (nMissing === 0) return [];
  const named = `${missing.join(', ')}${nMissing > missing.length ? ', …' : ''}`;
  const detail = message('originals_missing', { count: nMissing, names: named });
  return [{ part: 'originals', entity_type: 'IMAGES', detail, paths }];
}
