import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import { EMBEDDING_SPACES } from '../../../core/ports/vector-space.ts';
import { segmentName } from '../../vectors/vector-segments.ts';
import { MetaRepository } from '../rows/meta.repository.ts';
import { SHARED_PACKS, THUMBNAIL_FOLDERS } from './thumbnail-packs.ts';
import { vectorsFolder } from './vector-spaces.ts';

const TABLES: Record<EntityType, string> = { IMAGES: 'media', OBJECTS: 'object' };

/** A file of a generation beside its database, as far as its rows reach. */
export interface GenerationFile {
  /** Relative to the generation's folder. */
  path: string;
  /** How much of it the rows need; an append-only file may be longer meanwhile. */
  bytes: number;
  /** Whether rows are still appended to it in place: others must not share it, but copy what they need. */
  is_growing: boolean;
}

/**
 * Puts what an open generation has committed by now into a folder: a consistent copy of its database as `data.db`, and the files that its
 * rows need, which never change below what is counted. The generation may be written to meanwhile.
 * @param growing What becomes of files that are still appended to: a generation of its own needs a copy, a kept version a link.
 * @returns All files but the database, on the disk for good.
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
  // An index that is published while rows are copied takes the place of one that the copy names: both are taken.
  place(listIndex(from.folder).filter(wanted));
  await from.db.backup(join(toFolder, 'data.db'));
  const counted = countFiles(from.folder, join(toFolder, 'data.db')).filter(wanted);
  place([...counted, ...listIndex(from.folder).filter(wanted)]);
  const files = [...counted, ...listIndex(toFolder)];
  for (const { path } of files) await syncFile(join(toFolder, path));
  return files;
}

/** Append-only files of an entity type, and how much of each its rows need. */
export function countedFiles(folder: string, db: Database.Database, entityType: EntityType): GenerationFile[] {
  return [...listVectors(folder, db, entityType), ...listPacks(db, entityType)];
}

/** @param file A consistent copy of the generation's database. */
function countFiles(folder: string, file: string): GenerationFile[] {
  const db = new Database(file);
  try {
    return ENTITY_TYPES.flatMap((entityType) => countedFiles(folder, db, entityType));
  } finally {
    db.close();
  }
}

/** Files of published indexes; what an index job is writing just now is none. */
function listIndex(folder: string): GenerationFile[] {
  const index = join(folder, 'index');
  if (!existsSync(index)) return [];
  return readdirSync(index, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.partial'))
    .map(({ name }) => ({ path: `index/${name}`, bytes: 0, is_growing: false }));
}

/** Puts files of one folder into another: shared by hard link where that is safe, else as far as they count. */
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

/** Copies where the file system has no hard links. A file that is there already stays. */
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
    .prepare<[], { n: number }>(`SELECT coalesce(max(row) + 1, 0) AS n FROM ${TABLES[entityType]}`)
    .get()?.n;
  return EMBEDDING_SPACES.flatMap((space) => {
    const below = vectorsFolder('', space, entityType);
    const manifest = join(folder, below, 'manifest.json');
    if (!rows || !existsSync(manifest)) return [];
    const { dim, rows_per_segment } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      dim: number;
      rows_per_segment: number;
    };
    const files: GenerationFile[] = [{ path: join(below, 'manifest.json'), bytes: 0, is_growing: false }];
    for (let first = 0; first < rows; first += rows_per_segment) {
      const here = Math.min(rows - first, rows_per_segment);
      files.push({
        path: join(below, segmentName(first / rows_per_segment)),
        bytes: here * dim * 4,
        is_growing: here < rows_per_segment,
      });
    }
    return files;
  });
}

/** Notes in a generation's database which of its packs are others' too: what is added to it begins a pack of its own. */
export function sharePacks(db: Database.Database, files: readonly GenerationFile[]): void {
  const meta = new MetaRepository(db);
  for (const entityType of ENTITY_TYPES) {
    meta.set(
      SHARED_PACKS[entityType],
      files.filter(({ path }) => path.startsWith(`${THUMBNAIL_FOLDERS[entityType]}/`)).length,
    );
  }
}

/** Packs are shared, growing ones too: a generation that shares a pack begins one of its own (see ThumbnailPacks). */
function listPacks(db: Database.Database, entityType: EntityType): GenerationFile[] {
  return db
    .prepare<[], { pack: number; bytes: number }>(
      `SELECT thumbnail_pack AS pack, max(thumbnail_offset + thumbnail_bytes) AS bytes FROM ${TABLES[entityType]}
       GROUP BY thumbnail_pack ORDER BY thumbnail_pack`,
    )
    .all()
    .map(({ pack, bytes }) => ({
      path: `${THUMBNAIL_FOLDERS[entityType]}/${String(pack).padStart(6, '0')}.pack`,
      bytes,
      is_growing: false,
    }));
}
