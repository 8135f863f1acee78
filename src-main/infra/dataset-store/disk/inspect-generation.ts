import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { Damage, InspectionDepth } from '../../../core/ports/damage.ts';
import { VectorSegments } from '../../vectors/vector-segments.ts';
import { countedFiles, type GenerationFile } from './generation-files.ts';
import { inspectIndex } from './inspect-index.ts';

const SQLITE_MAGIC = 'SQLite format 3\0';
/** Rows whose vectors are looked at together. */
const ROWS_AT_ONCE = 4096;
const UNIT_TOLERANCE = 0.01;

/**
 * What can be told of a generation's folder without opening its database: that it is there, and that its database begins as one and is as
 * long as it says. Takes less than a millisecond.
 * @returns What is wrong, or undefined.
 */
export function inspectFolder(folder: string): string | undefined {
  if (!existsSync(folder)) return 'its folder is missing';
  const file = join(folder, 'data.db');
  // A dataset that nothing was put into yet has an empty folder.
  if (!existsSync(file)) return readdirSync(folder).length === 0 ? undefined : 'its database (data.db) is missing';
  const head = Buffer.alloc(100);
  const opened = openSync(file, 'r');
  const read = readSync(opened, head, 0, head.length, 0);
  closeSync(opened);
  // What the file lacks may be in its log still: a full disk ends the writing back in the middle.
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (read === 0 && hasLog) return undefined;
  if (head.toString('latin1', 0, 16) !== SQLITE_MAGIC) return 'its database (data.db) is overwritten or empty';
  const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  return !hasLog && statSync(file).size < head.readUInt32BE(28) * pageBytes
    ? 'its database (data.db) is cut'
    : undefined;
}

/** Compares the files of an open generation with what its rows need of them. */
export function inspectGeneration(db: Database.Database, folder: string, depth: InspectionDepth): Damage[] {
  const damages: Damage[] = [];
  if (depth === 'whole') {
    const verdict = db.pragma('quick_check(1)', { simple: true });
    if (verdict !== 'ok') damages.push({ part: 'database', entity_type: 'IMAGES', detail: String(verdict), rows: [] });
  }
  for (const entityType of ENTITY_TYPES) {
    for (const file of countedFiles(folder, db, entityType)) {
      const damage = inspectFile(db, folder, entityType, file);
      if (damage) damages.push(damage);
    }
    if (depth === 'whole') damages.push(...inspectVectors(db, folder, entityType));
  }
  return [...damages, ...inspectIndexes(db, folder, depth)];
}

function inspectFile(
  db: Database.Database,
  folder: string,
  entityType: EntityType,
  { path, bytes }: GenerationFile,
): Damage | undefined {
  const found = existsSync(join(folder, path)) ? statSync(join(folder, path)).size : -1;
  if (found >= bytes) return undefined;
  const detail = `${path} is ${found < 0 ? 'missing' : 'cut'}`;
  const table = entityType === 'IMAGES' ? 'media' : 'object';
  const pack = /([0-9]{6})\.pack$/.exec(path)?.[1];
  if (pack !== undefined) {
    const rows = db
      .prepare<[number, number], { row: number }>(
        `SELECT row FROM ${table} WHERE thumbnail_pack = ? AND thumbnail_offset + thumbnail_bytes > ?`,
      )
      .all(Number(pack), Math.max(0, found));
    return {
      part: 'thumbnails',
      entity_type: entityType,
      detail,
      rows: rows.map(({ row }) => ({ from: row, to: row + 1 })),
    };
  }
  const vectors = VectorSegments.openExisting(join(folder, path, '..'));
  vectors.close();
  const first = vectors.firstRowOf(path);
  const rowBytes = vectors.dim * 4;
  const from = first + Math.floor(Math.max(0, found) / rowBytes);
  return { part: 'vectors', entity_type: entityType, detail, rows: [{ from, to: first + bytes / rowBytes }] };
}

/** Vectors of looks have a length of one; anything else was not written by us. */
function inspectVectors(db: Database.Database, folder: string, entityType: EntityType): Damage[] {
  const below = join('vectors', 'looks', entityType);
  if (!existsSync(join(folder, below, 'manifest.json'))) return [];
  const table = entityType === 'IMAGES' ? 'media' : 'object';
  const vectors = VectorSegments.openExisting(join(folder, below));
  const rows: { from: number; to: number }[] = [];
  try {
    const ids = db.prepare<[number], { row: number }>(
      `SELECT row FROM ${table} WHERE row >= ? ORDER BY row LIMIT ${ROWS_AT_ONCE}`,
    );
    for (let next = 0; ; ) {
      const page = ids.all(next);
      const last = page.at(-1);
      if (!last) break;
      const readable = vectors.countReadable(next, last.row + 1);
      const bytes = vectors.readRows(next, readable);
      for (const { row } of page) {
        const at = (row - next) * vectors.dim;
        if (row - next < readable && !isUnit(bytes.subarray(at, at + vectors.dim)))
          rows.push({ from: row, to: row + 1 });
      }
      next = last.row + 1;
    }
  } finally {
    vectors.close();
  }
  return rows.length === 0 ? [] : [{ part: 'vectors', entity_type: entityType, detail: `${below} is damaged`, rows }];
}

function inspectIndexes(db: Database.Database, folder: string, depth: InspectionDepth): Damage[] {
  const published = db
    .prepare<[], { key: string; value: string }>(`SELECT key, value FROM meta WHERE key LIKE 'index:%'`)
    .all();
  return published.flatMap(({ key, value }): Damage[] => {
    const [, space, entity] = key.split(':');
    const entityType = ENTITY_TYPES.find((known) => known === entity);
    if (!entityType) return [];
    const index = JSON.parse(value) as { serial: number; count: number; sha256?: Record<string, string> };
    const wrong = inspectIndex(join(folder, 'index'), `${space}-${entityType}-${index.serial}`, index, depth);
    return wrong === undefined ? [] : [{ part: 'index', entity_type: entityType, detail: wrong, rows: [] }];
  });
}

function isUnit(vector: Float32Array): boolean {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.abs(sum - 1) < UNIT_TOLERANCE;
}
