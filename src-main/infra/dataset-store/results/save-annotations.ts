import type Database from 'better-sqlite3';
import type { ResultImport } from '../../../core/ports/results.ts';

const ITEMS = 'SELECT media_id FROM media WHERE row IN (SELECT media_row FROM staged.annotation)';
const STAGED = 'staged.annotation JOIN media ON media.row = media_row';

/** Statements per kind. The results of a model replace its earlier ones for the same items. */
const STATEMENTS = {
  labels: [
    `DELETE FROM label WHERE source = :model_id AND media_id IN (${ITEMS})`,
    `INSERT INTO label (media_id, label, source, batch_id, confidence)
     SELECT media_id, text, :model_id, :batch_id, confidence FROM ${STAGED} ORDER BY media_id, text`,
  ],
  captions: [
    `DELETE FROM caption WHERE source = :model_id AND media_id IN (${ITEMS})`,
    `INSERT INTO caption (media_id, caption, source, batch_id)
     SELECT media_id, text, :model_id, :batch_id FROM ${STAGED} ORDER BY media.row, text`,
  ],
  // Earlier objects stay until the index with the new ones is published.
  boxes: [
    `DELETE FROM box WHERE source = :model_id AND object_id IS NULL AND media_id IN (${ITEMS})`,
    `INSERT OR IGNORE INTO replaced_object SELECT row, :batch_id FROM object
     WHERE source = :model_id AND batch_id <> :batch_id AND media_id IN (${ITEMS})`,
    `INSERT INTO box (batch_id, media_id, media_row, x, y, width, height, label, source, confidence, annotation_path)
     SELECT :batch_id, media_id, media.row, x, y, staged.annotation.width, staged.annotation.height, text, :model_id, confidence, ''
     FROM ${STAGED} ORDER BY media.row, x, y`,
  ],
} as const;

/** Moves staged labels, boxes or captions into the dataset in one transaction. */
export function saveAnnotations(
  { db, noteChange }: { db: Database.Database; noteChange: () => void },
  { kind, model_id, import_id }: ResultImport,
  databaseFile: string,
): void {
  if (kind === 'embeddings') return;
  db.prepare('ATTACH DATABASE ? AS staged').run(databaseFile);
  try {
    db.transaction(() => {
      for (const sql of STATEMENTS[kind]) db.prepare(sql).run({ model_id, batch_id: import_id });
      noteChange();
    })();
  } finally {
    db.exec('DETACH DATABASE staged');
  }
}
