import type Database from 'better-sqlite3';
import { message } from '../../../contract/messages.ts';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import type { Damage, InspectionDepth, RowRange } from '../../../core/ports/damage.ts';
import type { EmbeddingSpace } from '../../../core/ports/vector-space.ts';
import type { VectorSegments } from '../../vectors/built-in/vector-segments.ts';
import { entityTable, entityWord } from './entity-tables.ts';
import { rangesOf } from './row-ranges.ts';

/** Rows whose vectors are read together. A quick inspection reads only the last so many. */
const ROWS_AT_ONCE = 1024;
const UNIT_TOLERANCE = 0.01;

/** Compares the vectors of rows with their checksums, without writing. */
export function inspectVectors(
  db: Database.Database,
  vectors: VectorSegments,
  { space, entity_type, depth }: { space: EmbeddingSpace; entity_type: EntityType; depth: InspectionDepth },
): Damage[] {
  const table = entityTable(entity_type);
  const end = db.prepare<[], number>(`SELECT ifnull(max(row) + 1, 0) FROM ${table}`).pluck().get() ?? 0;
  const damages: Damage[] = [];
  const missing = vectors.listMissing(end);
  const report = (rows: readonly RowRange[], code: 'vectors_missing' | 'vectors_damaged') => {
    if (rows.length === 0) return;
    const n = rows.reduce((sum, { from, to }) => sum + to - from, 0);
    const detail = message(code, { count: n, space, entities: entityWord(entity_type) });
    damages.push({ part: 'vectors', space, entity_type, detail, rows: [...rows] });
  };
  report(missing, 'vectors_missing');

  const list = db
    .prepare<[number], number>(`SELECT row FROM ${table} WHERE row >= ? ORDER BY row LIMIT ${ROWS_AT_ONCE}`)
    .pluck();
  const damaged: number[] = [];
  const first = depth === 'quick' ? Math.max(0, end - ROWS_AT_ONCE) : 0;
  for (let rows = list.all(first); rows.length > 0; rows = list.all((rows.at(-1) ?? 0) + 1)) {
    const [from = 0, last = 0] = [rows[0], rows.at(-1)];
    const used = new Set(rows);
    for (const present of without({ from, to: last + 1 }, missing)) {
      const { vectors: found, now, written } = vectors.readChecked(present.from, present.to - present.from);
      for (let row = present.from; row < present.to; row += 1) {
        const at = row - present.from;
        const vector = found.subarray(at * vectors.dim, (at + 1) * vectors.dim);
        // A row without a checksum was never written. Every item has looks; meaning is missing where its encoder failed.
        const isDamaged = written[at] === 0 ? space === 'looks' && !isUnit(vector) : written[at] !== now[at];
        if (isDamaged && used.has(row)) damaged.push(row);
      }
    }
  }
  report(rangesOf(damaged), 'vectors_damaged');
  return damages;
}

/** The parts of a range outside other ranges, which are in ascending order. */
function without(range: RowRange, others: readonly RowRange[]): RowRange[] {
  const left: RowRange[] = [];
  let from = range.from;
  for (const other of others) {
    if (other.to <= from || other.from >= range.to) continue;
    if (other.from > from) left.push({ from, to: other.from });
    from = other.to;
  }
  if (from < range.to) left.push({ from, to: range.to });
  return left;
}

function isUnit(vector: Float32Array): boolean {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.abs(sum - 1) < UNIT_TOLERANCE;
}
