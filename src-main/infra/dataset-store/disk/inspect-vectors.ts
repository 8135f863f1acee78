import type Database from 'better-sqlite3';
import { message } from '../../../contract/messages.ts';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { Damage, InspectionDepth, RowRange } from '../../../core/ports/damage.ts';
import type { Pace } from '../../../core/ports/read-limits.ts';
import type { VectorCollection } from '../../../core/ports/vector-engine.ts';
import type { EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import { entityTable, entityWord } from './entity-tables.ts';
import { rangesOf } from './row-ranges.ts';

/** Number of rows whose vectors are read together. A quick inspection reads only the last ROWS_AT_ONCE rows. */
const ROWS_AT_ONCE = 1024;

/** Checks the vectors of rows against what was stored, without writing. */
export async function inspectVectors(
  db: Database.Database,
  vectors: VectorCollection,
  { space, entity_type, depth }: { space: EmbeddingSpace; entity_type: EntityType; depth: InspectionDepth },
  pace: Pace,
): Promise<Damage[]> {
  const table = entityTable(entity_type);
  const end = db.prepare<[], number>(`SELECT ifnull(max(row) + 1, 0) FROM ${table}`).pluck().get() ?? 0;
  const first = depth === 'quick' ? Math.max(0, end - ROWS_AT_ONCE) : 0;
  const list = db
    .prepare<[number, number], number>(`SELECT row FROM ${table} WHERE row >= ? AND row < ? ORDER BY row`)
    .pluck();
  // Missing rows, however many, are found by the length of the stored file.
  const { missing } = await vectors.check(end, end);
  const damaged: number[] = [];
  for (let from = first; from < end; from += ROWS_AT_ONCE) {
    const to = Math.min(end, from + ROWS_AT_ONCE);
    const found = await vectors.check(from, to);
    const used = new Set(list.all(from, to));
    // Every item has an appearance embedding (`looks`). Its `meaning` embedding is missing if the encoder failed.
    const wrong = space === 'looks' ? [...found.damaged, ...found.blank].sort((a, b) => a - b) : found.damaged;
    for (const row of wrong) if (used.has(row)) damaged.push(row);
    await pace((to - from) * vectors.dim * Float32Array.BYTES_PER_ELEMENT);
  }
  const damages: Damage[] = [];
  const report = (rows: RowRange[], code: 'vectors_missing' | 'vectors_damaged') => {
    if (rows.length === 0) return;
    const n = rows.reduce((sum, { from, to }) => sum + to - from, 0);
    const detail = message(code, { count: n, space, entities: entityWord(entity_type) });
    damages.push({ part: 'vectors', space, entity_type, detail, rows });
  };
  report(missing, 'vectors_missing');
  report(rangesOf(damaged), 'vectors_damaged');
  return damages;
}
