import { copyFileSync, existsSync, linkSync, mkdirSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { GenerationFile } from '../../../core/ports/state-file.ts';
import type { VectorEngine } from '../../../core/ports/vector-engine.ts';
import { EMBEDDING_SPACES, type EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import { projectionFile } from '../map/projections.ts';
import { findPublished, groupingFiles } from '../vectors/index-reader.ts';
import { findSpace } from '../vectors/vector-spaces.ts';
import { entityTable } from './entity-tables.ts';
import { MetaRepository } from './meta.repository.ts';
import { packNumber, SHARED_PACKS, THUMBNAIL_FOLDERS } from './thumbnail-packs.ts';

/** Database pages copied per step before other work can run: takes a few milliseconds. */
const PAGES_AT_ONCE = 1000;

/** An open generation. */
export interface OpenGeneration {
  db: Database.Database;
  folder: string;
  vectorEngine: VectorEngine;
}

/**
 * Writes the state that an open generation has committed into a folder: a consistent copy of its database as `data.db`, and the files that
 * its rows use, which never change below the counted length. Runs in the generation's writer, so that nothing is published meanwhile.
 * @param growing How to take files that are still appended to: a separate generation needs a copy, a snapshot a link.
 * @param isIncluded Whether to take the vectors of a space and the data computed from them. Default: of all spaces.
 * @returns All files except the database, synced to disk.
 */
export async function takeState(
  from: OpenGeneration,
  toFolder: string,
  options: { growing: 'copy' | 'link'; isIncluded?: (space: EmbeddingSpace, entityType: EntityType) => boolean },
): Promise<GenerationFile[]> {
  const { growing, isIncluded = () => true } = options;
  await from.db.backup(join(toFolder, 'data.db'), { progress: () => PAGES_AT_ONCE });
  const db = new Database(join(toFolder, 'data.db'));
  try {
    const files = ENTITY_TYPES.flatMap((entityType) => listPacks(db, entityType));
    for (const entityType of ENTITY_TYPES) {
      for (const space of EMBEDDING_SPACES.filter((one) => isIncluded(one, entityType))) {
        files.push(...(await listSpace(from, db, space, entityType)));
      }
    }
    const taken = growing === 'copy' ? files : files.map((file) => ({ ...file, is_growing: false }));
    placeFiles(taken, from.folder, toFolder);
    for (const { path } of files) await syncFile(join(toFolder, path));
    return files;
  } finally {
    db.close();
  }
}

/** Lists the files of a space's vectors, and of the index, clusters, scores and map computed from them. */
async function listSpace(
  { folder, vectorEngine }: OpenGeneration,
  db: Database.Database,
  space: EmbeddingSpace,
  entityType: EntityType,
): Promise<GenerationFile[]> {
  const meta = new MetaRepository(db);
  const made = findSpace(meta, space, entityType);
  if (!made) return [];
  const rows = db.prepare<[], number>(`SELECT coalesce(max(row) + 1, 0) FROM ${entityTable(entityType)}`).pluck();
  const index = findPublished(meta, space, entityType)?.version;
  const projection = projectionFile(meta, space, entityType);
  const computed = [
    ...(index === undefined ? [] : Object.values(groupingFiles('index', space, entityType, index))),
    ...(projection === undefined ? [] : [`index/${projection}`]),
  ];
  const address = { space, entity_type: entityType, ...made };
  return [
    ...(await vectorEngine.listFiles(address, { rows: rows.get() ?? 0, index })),
    // A missing file is damage that an inspection reports and repairs.
    ...computed.filter((path) => existsSync(join(folder, path))).map((path) => ({ path, bytes: 0, is_growing: false })),
  ];
}

/** Places files of one folder into another: by hard link where sharing is safe, otherwise by copying the counted bytes. */
export function placeFiles(files: readonly GenerationFile[], fromFolder: string, toFolder: string): void {
  for (const { path, bytes, is_growing } of files) {
    const [from, to] = [join(fromFolder, path), join(toFolder, path)];
    mkdirSync(dirname(to), { recursive: true });
    if (!is_growing) {
      linkOrCopy(from, to);
      continue;
    }
    copyFileSync(from, to);
    truncateSync(to, bytes);
  }
}

/** Links a file, or copies it if the file system has no hard links. An existing file is left as it is. */
function linkOrCopy(from: string, to: string): void {
  if (existsSync(to)) return;
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

async function syncFile(file: string): Promise<void> {
  const opened = await open(file, 'r+');
  await opened.sync();
  await opened.close();
}

/** Records in a generation's database which of its packs are shared with other generations. New thumbnails then start a new pack. */
export function sharePacks(db: Database.Database, files: readonly GenerationFile[]): void {
  const meta = new MetaRepository(db);
  for (const entityType of ENTITY_TYPES) {
    const packs = files
      .filter(({ path }) => path.startsWith(`${THUMBNAIL_FOLDERS[entityType]}/`))
      .map(({ path }) => packNumber(path) ?? 0);
    meta.set(SHARED_PACKS[entityType], Math.max(-1, ...packs) + 1);
  }
}

/**
 * Lists packs, including growing ones. Packs can be shared because a generation that shares a pack starts a new one (see ThumbnailPacks).
 */
export function listPacks(db: Database.Database, entityType: EntityType): GenerationFile[] {
  return db
    .prepare<[], { pack: number; bytes: number }>(
      `SELECT thumbnail_pack AS pack, max(thumbnail_offset + thumbnail_bytes) AS bytes FROM ${entityTable(entityType)}
       GROUP BY thumbnail_pack ORDER BY thumbnail_pack`,
    )
    .all()
    .map(({ pack, bytes }) => ({
      path: `${THUMBNAIL_FOLDERS[entityType]}/${String(pack).padStart(6, '0')}.pack`,
      bytes,
      is_growing: false,
    }));
}
