import type Database from 'better-sqlite3';
import { ENTITY_TYPES } from '../../../contract/schemas/explore.ts';
import type { Damage, InspectionDepth } from '../../../core/ports/damage.ts';
import { EMBEDDING_SPACES } from '../../../core/ports/vector-space.ts';
import { inspectGeneration } from '../disk/inspect-generation.ts';
import type { VectorSpaces } from '../disk/vector-spaces.ts';
import { DataVersions } from '../read/data-versions.ts';
import { indexKey } from '../read/index-reader.ts';
import { MetaRepository } from '../rows/meta.repository.ts';

/**
 * Finds what is damaged and takes it out of use: items that lost their vector or thumbnail wait to be described again from their files,
 * and an index that is not whole is forgotten, so that the next one is made anew.
 */
export function repairGeneration(
  { db, folder, vectors }: { db: Database.Database; folder: string; vectors: VectorSpaces },
  depth: InspectionDepth,
): Damage[] {
  const damages = inspectGeneration(db, folder, depth);
  const rows = damages.filter(({ entity_type }) => entity_type === 'IMAGES').flatMap((damage) => damage.rows);
  db.transaction(() => {
    const meta = new MetaRepository(db);
    const changed = ENTITY_TYPES.filter((type) =>
      damages.some(({ part, entity_type }) => entity_type === type && part !== 'database'),
    );
    for (const entityType of changed) {
      for (const space of EMBEDDING_SPACES) meta.delete(indexKey(space, entityType));
    }
    const wait = db.prepare<{ from: number; to: number }[]>(
      `UPDATE file SET state = 'pending' WHERE state = 'done' AND file_id IN (SELECT file_id FROM media WHERE row >= :from AND row < :to)`,
    );
    // Content that is not known is new content: the item gets a new row under its id.
    const forget = db.prepare<{ from: number; to: number }[]>(
      `UPDATE media SET content_hash = '' WHERE row >= :from AND row < :to`,
    );
    if (rows.length > 0) new DataVersions(meta).noteRows();
    for (const range of rows) {
      wait.run(range);
      forget.run(range);
    }
  })();
  // Rows that come after must find their place; rows that were lost are not used any more.
  const count = db.prepare<[], { n: number }>('SELECT coalesce(max(row) + 1, 0) AS n FROM media').get()?.n ?? 0;
  if (rows.length > 0) for (const space of vectors.spacesOf('IMAGES')) vectors.of(space, 'IMAGES').extendTo(count);
  return damages;
}
