import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { Damage, InspectionDepth } from '../../../core/ports/damage.ts';
import type { EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import type { VectorSegments } from '../../vectors/built-in/vector-segments.ts';
import { entityTable, entityWord } from './entity-tables.ts';
import { rangesOf } from './row-ranges.ts';

/** Rows whose vectors are looked at together; a quick look takes the last so many. */
const ROWS_AT_ONCE = 1024;
const UNIT_TOLERANCE = 0.01;

/**
 * Compares the vectors of rows with their checksums. What a former version wrote has none: it gets them here, where it looks sound. Files
 * that are too short are brought to their length, by vectors without direction.
 */
export function inspectVectors(
  db: Database.Database,
  vectors: VectorSegments,
  { space, entity_type, depth }: { space: EmbeddingSpace; entity_type: EntityType; depth: InspectionDepth },
): Damage[] {
  const table = entityTable(entity_type);
  const end = db.prepare<[], number>(`SELECT ifnull(max(row) + 1, 0) FROM ${table}`).pluck().get() ?? 0;
  const damages: Damage[] = [];
  const missing = vectors.listMissing(end);
  const tell = (rows: typeof missing, what: string) => {
    if (rows.length === 0) return;
    const n = rows.reduce((sum, { from, to }) => sum + to - from, 0);
    const detail = `${n} vectors of the ${space} of ${entityWord(entity_type)} are ${what}`;
    damages.push({ part: 'vectors', space, entity_type, detail, rows });
  };
  tell(missing, 'missing');
  if (missing.length > 0) vectors.extendTo(end);
  const isMissing = (row: number) => missing.some(({ from, to }) => row >= from && row < to);

  const list = db
    .prepare<[number], number>(`SELECT row FROM ${table} WHERE row >= ? ORDER BY row LIMIT ${ROWS_AT_ONCE}`)
    .pluck();
  const damaged: number[] = [];
  const first = depth === 'quick' ? Math.max(0, end - ROWS_AT_ONCE) : 0;
  for (let rows = list.all(first); rows.length > 0; rows = list.all((rows.at(-1) ?? 0) + 1)) {
    const [from = 0, last = 0] = [rows[0], rows.at(-1)];
    const { vectors: found, now, written } = vectors.readChecked(from, last + 1 - from);
    for (const row of rows) {
      if (isMissing(row)) continue;
      const at = row - from;
      const vector = found.subarray(at * vectors.dim, (at + 1) * vectors.dim);
      if (written[at] !== 0 && written[at] !== now[at]) damaged.push(row);
      else if (written[at] === 0 && isUnit(vector)) vectors.writeRows(row, vector);
      // Every item has looks; meaning may be missing where its encoder failed.
      else if (space === 'looks' && !isUnit(vector)) damaged.push(row);
    }
  }
  tell(rangesOf(damaged), 'damaged');
  return damages;
}

function isUnit(vector: Float32Array): boolean {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.abs(sum - 1) < UNIT_TOLERANCE;
}
