import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ENTITY_TYPES } from '../../../contract/schemas/explore.ts';
import type { CopyChanges } from '../../../core/ports/enrichment.ts';
import { appliedKey } from '../enrichment/model-result.repository.ts';
import { projectionKey } from '../map/projections.ts';
import { indexKey } from '../vectors/index-reader.ts';
import { ADDED_MEANING, vectorSpaceKey } from '../vectors/vector-spaces.ts';
import { type OpenGeneration, sharePacks, takeState } from './generation-files.ts';
import { MetaRepository } from './meta.repository.ts';

/**
 * Writes a copy of an open generation into an empty folder. Rows are copied. Thumbnails, vectors and index files are shared by hard link;
 * from then on each generation appends only to files of its own.
 */
export async function copyGeneration(from: OpenGeneration, toFolder: string, changes: CopyChanges): Promise<void> {
  const files = await takeState(from, toFolder, {
    growing: 'copy',
    isIncluded: (space, entityType) => space !== 'meaning' || !changes.meaning[entityType],
  });
  const db = new Database(join(toFolder, 'data.db'));
  try {
    db.pragma('foreign_keys = ON');
    db.transaction(() => {
      sharePacks(db, files);
      changeCopy(db, changes);
    })();
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/** Applies the changes to the copy. Joins the caller's transaction. */
function changeCopy(db: Database.Database, changes: CopyChanges): void {
  const meta = new MetaRepository(db);
  for (const entityType of ENTITY_TYPES) {
    const meaning = changes.meaning[entityType];
    if (meaning) {
      meta.set(vectorSpaceKey('meaning', entityType), meaning);
      meta.delete(indexKey('meaning', entityType));
      meta.delete(projectionKey('meaning', entityType));
    }
    meta.set(appliedKey('models', entityType), 0);
    meta.delete(appliedKey('meaning', entityType));
  }
  meta.delete(ADDED_MEANING);
  forgetModels(db, changes.forget_models);
  if (changes.forget_caption_vectors) db.exec('DELETE FROM caption_vector');
}

function forgetModels(db: Database.Database, modelIds: readonly string[]): void {
  const models = JSON.stringify(modelIds);
  const chosen = 'IN (SELECT value FROM json_each(?))';
  for (const table of ['label', 'caption', 'box', 'object']) {
    db.prepare<[string]>(`DELETE FROM ${table} WHERE source ${chosen}`).run(models);
  }
  db.prepare<[string]>(`DELETE FROM model_failure WHERE model_id ${chosen}`).run(models);
  db.prepare<[string]>(`UPDATE object SET caption = NULL, caption_source = NULL WHERE caption_source ${chosen}`).run(
    models,
  );
}
