import type Database from 'better-sqlite3';
import { ENTITY_TYPES, type EntityType } from '../../../contract/schemas/explore.ts';
import type { LiveRows } from '../columns/live-rows.ts';
import type { Projections } from '../map/projections.ts';
import type { WriterRows } from '../thread/writer-rows.ts';
import type { VectorSpaces } from '../vectors/vector-spaces.ts';
import type { RowAppender } from './row-appender.ts';

interface Parts {
  db: Database.Database;
  rows: WriterRows;
  live: LiveRows;
  projections: Projections;
  vectors: VectorSpaces;
  appenders: Record<EntityType, RowAppender>;
  annotations: { deleteBatch: (batchId: string) => void };
  duplicates: { clearFrom: (row: number) => void };
  /** Number of rows, living or dead. */
  countRows: (entityType: EntityType) => number;
  /** Number of rows that the published index covers. */
  countPublished: (entityType: EntityType) => number;
}

/**
 * Deletes a batch whose items were never published, with all data stored for its rows, in one transaction.
 * @param keepErrors Keeps its failed files.
 */
export async function discardBatch(parts: Parts, batchId: string, keepErrors: boolean): Promise<void> {
  const { db, rows, live, projections, appenders, annotations, duplicates, countRows, countPublished } = parts;
  const before = { IMAGES: countRows('IMAGES'), OBJECTS: countRows('OBJECTS') };
  const firstRow = countPublished('IMAGES');
  db.transaction(() => {
    annotations.deleteBatch(batchId);
    rows.media.deleteFrom(firstRow, batchId);
    rows.batches.delete(batchId, keepErrors);
    rows.texts.refresh();
    for (const entityType of ENTITY_TYPES) {
      rows.rowSets.clearFrom(entityType, countRows(entityType));
      projections.clearFrom(entityType, countRows(entityType));
    }
    duplicates.clearFrom(countRows('IMAGES'));
    rows.metadata.clearFrom(countRows('IMAGES'));
    live.noteChange();
  })();
  for (const entityType of ENTITY_TYPES) {
    appenders[entityType].rewind();
    await parts.vectors.removeFrom(entityType, countRows(entityType), before[entityType]);
  }
}
