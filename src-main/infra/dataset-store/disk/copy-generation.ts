import { copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { CopyChanges } from '../../../core/ports/enrichment-writer.ts';
import { indexKey } from '../read/index-reader.ts';
import { MetaRepository } from '../rows/meta.repository.ts';
import { appliedKey } from '../rows/model-result.repository.ts';
import { SHARED_PACKS, THUMBNAIL_FOLDERS } from './thumbnail-packs.ts';
import { ADDED_MEANING, type VectorSpaces, vectorSpaceKey, vectorsFolder } from './vector-spaces.ts';

/**
 * Writes a copy of an open generation into an empty folder. Rows are copied; thumbnails, vectors and index files are shared by hard link, and
 * from then on each side adds to files of its own.
 */
export async function copyGeneration(
  from: {
    db: Database.Database;
    folder: string;
    vectors: VectorSpaces;
    counts: Record<EntityType, number>;
    index_files: readonly string[];
  },
  toFolder: string,
  changes: CopyChanges,
): Promise<void> {
  mkdirSync(join(toFolder, 'index'), { recursive: true });
  for (const entityType of ENTITY_TYPES) {
    const count = from.counts[entityType];
    if (count === 0) continue;
    for (const space of from.vectors.spacesOf(entityType)) {
      if (space === 'meaning' && changes.meaning[entityType]) continue;
      const vectors = from.vectors.of(space, entityType);
      vectors.sync();
      vectors.fork(vectorsFolder(toFolder, space, entityType), count);
    }
  }
  const sharedPacks = {
    IMAGES: linkAll(join(from.folder, THUMBNAIL_FOLDERS.IMAGES), join(toFolder, THUMBNAIL_FOLDERS.IMAGES)),
    OBJECTS: linkAll(join(from.folder, THUMBNAIL_FOLDERS.OBJECTS), join(toFolder, THUMBNAIL_FOLDERS.OBJECTS)),
  };
  for (const file of from.index_files) linkOrCopy(file, join(toFolder, 'index', basename(file)));
  await from.db.backup(join(toFolder, 'data.db'));
  changeCopy(join(toFolder, 'data.db'), sharedPacks, changes);
}

function changeCopy(file: string, sharedPacks: Record<EntityType, number>, changes: CopyChanges): void {
  const db = new Database(file);
  try {
    db.pragma('foreign_keys = ON');
    const meta = new MetaRepository(db);
    db.transaction(() => {
      for (const entityType of ENTITY_TYPES) {
        meta.set(SHARED_PACKS[entityType], sharedPacks[entityType]);
        const meaning = changes.meaning[entityType];
        if (meaning) {
          meta.set(vectorSpaceKey('meaning', entityType), meaning);
          meta.delete(indexKey('meaning', entityType));
        }
        meta.set(appliedKey('models', entityType), 0);
        meta.delete(appliedKey('meaning', entityType));
      }
      meta.delete(ADDED_MEANING);
      forgetModels(db, changes.forget_models);
      if (changes.forget_caption_vectors) db.exec('DELETE FROM caption_vector');
    })();
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

function forgetModels(db: Database.Database, modelIds: readonly string[]): void {
  const models = JSON.stringify(modelIds);
  const chosen = 'IN (SELECT value FROM json_each(?))';
  for (const table of ['label', 'caption', 'found_object', 'object']) {
    db.prepare<[string]>(`DELETE FROM ${table} WHERE source ${chosen}`).run(models);
  }
  db.prepare<[string]>(`DELETE FROM model_failure WHERE model_id ${chosen}`).run(models);
  db.prepare<[string]>(`UPDATE object SET caption = NULL, caption_source = NULL WHERE caption_source ${chosen}`).run(
    models,
  );
}

/** Links all files of a folder. @returns How many there are. */
function linkAll(from: string, to: string): number {
  mkdirSync(to, { recursive: true });
  const names = readdirSync(from);
  for (const name of names) linkOrCopy(join(from, name), join(to, name));
  return names.length;
}

/** Copies where the file system has no hard links. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
