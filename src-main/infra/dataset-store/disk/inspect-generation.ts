import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { type Message, message } from '../../../contract/messages.ts';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { Damage, InspectionDepth } from '../../../core/ports/damage.ts';
import type { Pace } from '../../../core/ports/read-limits.ts';
import { EMBEDDING_SPACES, type EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import type { Projections } from '../map/projections.ts';
import type { IndexReader, PublishedFiles } from '../vectors/index-reader.ts';
import type { VectorSpaces } from '../vectors/vector-spaces.ts';
import { inspectIndex } from './inspect-index.ts';
import { inspectOriginals } from './inspect-originals.ts';
import { inspectProjection } from './inspect-projection.ts';
import { inspectThumbnails } from './inspect-thumbnails.ts';
import { inspectVectors } from './inspect-vectors.ts';

const SQLITE_MAGIC = 'SQLite format 3\0';

/**
 * Inspects a generation folder without opening its database: checks that the folder exists, and that the database file has the header and
 * the length of a SQLite file. Takes less than a millisecond.
 * @returns The first problem, or undefined.
 */
export function inspectFolder(folder: string): Message | undefined {
  if (!existsSync(folder)) return message('folder_missing');
  const file = join(folder, 'data.db');
  // A dataset without any imports has an empty folder.
  if (!existsSync(file)) return readdirSync(folder).length === 0 ? undefined : message('database_missing');
  const head = Buffer.alloc(100);
  const opened = openSync(file, 'r');
  const read = readSync(opened, head, 0, head.length, 0);
  closeSync(opened);
  // Bytes that the file lacks may still be in its log: a full disk interrupts a checkpoint halfway.
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (read === 0 && hasLog) return undefined;
  if (head.toString('latin1', 0, 16) !== SQLITE_MAGIC) return message('database_overwritten');
  const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  return !hasLog && statSync(file).size < head.readUInt32BE(28) * pageBytes ? message('database_cut') : undefined;
}

interface InspectedGeneration {
  db: Database.Database;
  folder: string;
  dataFolder: string;
  vectors: VectorSpaces;
  index: IndexReader;
  projections: Projections;
}

/** Compares the files of an open generation with what its rows need, without writing. The database is checked in one step. */
export async function inspectGeneration(
  { db, folder, dataFolder, vectors, index, projections }: InspectedGeneration,
  depth: InspectionDepth,
  pace: Pace = async () => undefined,
): Promise<Damage[]> {
  const damages: Damage[] = [];
  if (depth === 'whole') {
    const verdict = db.pragma('quick_check(1)', { simple: true });
    await pace(statSync(join(folder, 'data.db')).size);
    if (verdict !== 'ok')
      return [
        { part: 'database', entity_type: 'IMAGES', detail: message('database_unsound', { verdict: String(verdict) }) },
      ];
  }
  for (const entityType of ENTITY_TYPES) {
    for (const space of vectors.spacesOf(entityType)) {
      const collection = vectors.of(space, entityType);
      damages.push(...(await inspectVectors(db, collection, { space, entity_type: entityType, depth }, pace)));
    }
    damages.push(...(await inspectThumbnails(db, folder, entityType, depth, pace)));
    for (const space of EMBEDDING_SPACES) {
      const published = index.describePublished(space, entityType);
      const detail =
        published && (await inspectPublished(published, { folder, vectors, space, entityType, depth, pace }));
      if (detail !== undefined) damages.push({ part: 'index', space, entity_type: entityType, detail });
      const projected = projections.published(space, entityType);
      const wrong = projected && (await inspectProjection(projected, depth, pace));
      if (wrong !== undefined) damages.push({ part: 'projection', space, entity_type: entityType, detail: wrong });
    }
  }
  return [...damages, ...inspectOriginals(db, dataFolder, depth)];
}

async function inspectPublished(
  published: PublishedFiles,
  {
    folder,
    vectors,
    space,
    entityType,
    depth,
    pace,
  }: {
    folder: string;
    vectors: VectorSpaces;
    space: EmbeddingSpace;
    entityType: EntityType;
    depth: InspectionDepth;
    pace: Pace;
  },
): Promise<Message | undefined> {
  const wrong = await inspectIndex(join(folder, 'index'), published, depth, pace);
  if (wrong !== undefined) return wrong;
  const { version, count, engine_sha256 } = published;
  const index = { version, count, sha256: engine_sha256 };
  return vectors.of(space, entityType).checkIndex(index, depth === 'whole' ? pace : undefined);
}
