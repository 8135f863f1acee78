import type Database from 'better-sqlite3';
import type { EntityType } from '../../../contract/schemas/explore.ts';
import { TEXT_COLUMNS, type TextColumn, type WordQuery } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import { toMatchExpression } from './match-expression.ts';

const TABLES: Record<EntityType, string> = { IMAGES: 'item_text', OBJECTS: 'object_text' };

/** A word of a caption or label tells more of an item than one of its path; see {@link TEXT_COLUMNS}. */
const WEIGHTS: Record<TextColumn, number> = { caption: 4, label: 4, file_name: 2, folder: 1, id: 1 };

export interface Words {
  query: WordQuery;
  columns: readonly TextColumn[];
}

/** Rows below `count` whose texts fit. */
export function rowsWithWords(db: Database.Database, entityType: EntityType, words: Words, count: number): RowSet {
  const { match, is_negated } = toMatchExpression(words.query, words.columns);
  const table = TABLES[entityType];
  const found = new RowSet(count);
  if (match !== undefined) {
    const rows = db.prepare<[string], number>(`SELECT rowid FROM ${table} WHERE ${table} MATCH ?`).pluck();
    for (const row of rows.iterate(match)) if (row < count) found.add(row);
  }
  return is_negated ? found.not() : found;
}

/**
 * How well the texts of rows below `count` fit, 0 … 1 for the best, by BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework,
 * 2009) as FTS5 computes it. Rows that do not fit have -Infinity. What only excludes words ranks nothing: all that fits is 1.
 */
export function rankByWords(db: Database.Database, entityType: EntityType, words: Words, count: number): Float32Array {
  const ranks = new Float32Array(count).fill(Number.NEGATIVE_INFINITY);
  const { match, is_negated } = toMatchExpression(words.query, words.columns);
  if (match === undefined || is_negated) {
    rowsWithWords(db, entityType, words, count).forEach((row) => {
      ranks[row] = 1;
    });
    return ranks;
  }
  const table = TABLES[entityType];
  const weights = TEXT_COLUMNS.map((column) => WEIGHTS[column]).join(', ');
  const found = db.prepare<[string], { row: number; bm25: number }>(
    `SELECT rowid AS row, bm25(${table}, ${weights}) AS bm25 FROM ${table} WHERE ${table} MATCH ?`,
  );
  let best = 0;
  // FTS5 gives the better match the lower number, below 0.
  for (const { row, bm25 } of found.iterate(match)) {
    if (row >= count) continue;
    ranks[row] = -bm25;
    best = Math.max(best, -bm25);
  }
  if (best > 0) for (let row = 0; row < count; row += 1) ranks[row] = (ranks[row] as number) / best;
  return ranks;
}
