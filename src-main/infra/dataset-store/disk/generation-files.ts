import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import { EMBEDDING_SPACES } from '../../../core/ports/vector-space.ts';
import { segmentsOf } from '../../vectors/built-in/segments-of.ts';
import { projectionStems } from '../map/projections.ts';
import { publishedStems } from '../vectors/index-reader.ts';
import { findSpace } from '../vectors/vector-spaces.ts';
import { entityTable } from './entity-tables.ts';
import { MetaRepository } from './meta.repository.ts';
import { packNumber, SHARED_PACKS, THUMBNAIL_FOLDERS } from './thumbnail-packs.ts';

/** Database pages copied per step before other work can run: takes a few milliseconds. */
const PAGES_AT_ONCE = 1000;

/** A file of a generation other than its database, up to the length that its rows use. */
export interface GenerationFile {
  /** Path relative to the generation's folder. */
  path: string;
  /** Number of bytes that the rows use. An append-only file may grow longer meanwhile. */
  bytes: number;
  /** Whether rows are still appended to the file in place. Other generations must copy the bytes they need instead of sharing the file. */
  is_growing: boolean;
}

/**
 * Writes the state that an open generation has committed into a folder: a consistent copy of its database as `data.db`, and the files that
 * its rows use, which never change below the counted length. The generation may be written to meanwhile.
 * @param growing How to take files that are still appended to: a separate generation needs a copy, a snapshot a link.
 * @returns All files except the database, synced to disk.
 */
export async function takeState(
  from: { db: Database.Database; folder: string },
  toFolder: string,
  options: { growing: 'copy' | 'link'; wanted?: (file: GenerationFile) => boolean },
): Promise<GenerationFile[]> {
  const { growing, wanted = () => true } = options;
  const place = (files: readonly GenerationFile[]) =>
    placeFiles(
      growing === 'copy' ? files : files.map((file) => ({ ...file, is_growing: false })),
      from.folder,
      toFolder,
    );
  // An index published while rows are copied replaces the index that the copy names, so the files of both are placed first.
  place(listIndex(from.folder).filter(wanted));
  await from.db.backup(join(toFolder, 'data.db'), { progress: () => PAGES_AT_ONCE });
  const { counted, stems } = readCopy(from.folder, join(toFolder, 'data.db'));
  const isNamed = ({ path }: GenerationFile) => stems.some((stem) => path.startsWith(`index/${stem}.`));
  place([...counted, ...listIndex(from.folder).filter(isNamed)].filter(wanted));
  for (const file of listIndex(toFolder)) if (!isNamed(file)) rmSync(join(toFolder, file.path));
  const files = [...counted.filter(wanted), ...listIndex(toFolder)];
  for (const { path } of files) await syncFile(join(toFolder, path));
  return files;
}

/** Lists append-only files of an entity type with the number of bytes that its rows use. */
function countedFiles(folder: string, db: Database.Database, entityType: EntityType): GenerationFile[] {
  return [...listVectors(folder, db, entityType), ...listPacks(db, entityType)];
}

/**
 * Reads the file list from a copy of the database.
 * @param file A consistent copy of the generation's database.
 * @returns The files, and the name prefixes of its index files.
 */
function readCopy(folder: string, file: string): { counted: GenerationFile[]; stems: string[] } {
  const db = new Database(file);
  try {
    const meta = new MetaRepository(db);
    return {
      counted: ENTITY_TYPES.flatMap((entityType) => countedFiles(folder, db, entityType)),
      stems: [...publishedStems(meta), ...projectionStems(meta)],
    };
  } finally {
    db.close();
  }
}

/** Lists index files that are in use or were just replaced; excludes files that an index job is still writing. */
function listIndex(folder: string): GenerationFile[] {
  const index = join(folder, 'index');
  if (!existsSync(index)) return [];
  return readdirSync(index, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.partial'))
    .map(({ name }) => ({ path: `index/${name}`, bytes: 0, is_growing: false }));
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

function listVectors(folder: string, db: Database.Database, entityType: EntityType): GenerationFile[] {
  const rows = db
    .prepare<[], { n: number }>(`SELECT coalesce(max(row) + 1, 0) AS n FROM ${entityTable(entityType)}`)
    .get()?.n;
  if (!rows) return [];
  const meta = new MetaRepository(db);
  return EMBEDDING_SPACES.flatMap((space) => {
    const made = findSpace(meta, space, entityType);
    return made ? segmentsOf(folder, { space, entity_type: entityType, ...made }, rows) : [];
  });
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
