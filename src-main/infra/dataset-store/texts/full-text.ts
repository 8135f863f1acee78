import type { EntityType } from '../../../contract/schemas/explore.ts';
import { TEXT_COLUMNS, type TextColumn, type WordQuery } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { Facts } from '../explore/executor.ts';
import type { SimilarRows } from '../explore/similar-rows.ts';

const TABLES: Record<EntityType, string> = { IMAGES: 'item_text', OBJECTS: 'object_text' };

/** A word of a caption or label tells more of an item than one of its path; see {@link TEXT_COLUMNS}. */
const WEIGHTS: Record<TextColumn, number> = { caption: 4, label: 4, file_name: 2, folder: 1, id: 1 };

/** How fast BM25 saturates, as FTS5 has it. */
const K1 = 1.2;
/** A word that most items have still tells a little. */
const LEAST_RARITY = 1e-6;

type Phrase = WordQuery & { op: 'phrase' };

export interface Words {
  query: WordQuery;
  columns: readonly TextColumn[];
}

/** Rows whose texts fit. Captions, paths and ids lie in documents (see [Note: Full text]); labels are found by their names. */
export function rowsWithWords({ query, columns }: Words, facts: Facts): RowSet {
  return combined(query, facts.count, (phrase) => rowsWithPhrase(phrase, columns, facts));
}

function combined(query: WordQuery, count: number, rowsOf: (phrase: Phrase) => RowSet): RowSet {
  if (query.op === 'phrase') return rowsOf(query);
  if (query.op === 'not') return combined(query.of, count, rowsOf).not();
  const parts = query.of.map((of) => combined(of, count, rowsOf));
  const none = new RowSet(count);
  return query.op === 'or'
    ? parts.reduce((some, part) => some.or(part), none)
    : parts.reduce((all, part) => all.and(part), none.not());
}

function rowsWithPhrase(phrase: Phrase, columns: readonly TextColumn[], facts: Facts): RowSet {
  const inDocuments = columns.filter((column) => column !== 'label');
  const rows = inDocuments.length > 0 ? rowsInDocuments(phrase, inDocuments, facts) : new RowSet(facts.count);
  return columns.includes('label') ? rows.or(rowsLabelled(phrase, facts)) : rows;
}

function rowsInDocuments(phrase: Phrase, columns: readonly TextColumn[], facts: Facts): RowSet {
  const { db, entity_type, first, count } = facts;
  const table = TABLES[entity_type];
  const find = db
    .prepare<[string, number], number>(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid >= ?`)
    .pluck();
  // All at once: row by row, most of the time would go into crossing over from SQLite.
  return RowSet.of(count, find.all(`{${columns.join(' ')}} : ${expressionOf(phrase)}`, first));
}

function rowsLabelled(phrase: Phrase, { labels, labelNames, count }: Facts): RowSet {
  const names = labelNames.find(labels.names(), expressionOf(phrase));
  return names.reduce((rows, name) => rows.or(labels.with(name, count)), new RowSet(count));
}

/**
 * How well the texts of the rows that fit do so, 0 … 1 for the best, by BM25F (Robertson and Zaragoza, The Probabilistic Relevance
 * Framework, 2009): a phrase counts by its rarity and, with saturation, by the weights of the columns that have it. How often a column has
 * it and how long that is does not matter: texts are short, and FTS5's own bm25 takes ten times as long to look that up. What only
 * excludes words ranks nothing: all that fits is 1.
 */
export function rankByWords({ query, columns }: Words, facts: Facts): SimilarRows {
  const { count } = facts;
  const having = new Map<Phrase, ColumnRows[]>();
  const found = combined(query, count, (phrase) => {
    const inColumns = columns.map((column) => ({
      weight: WEIGHTS[column],
      rows: rowsWithPhrase(phrase, [column], facts),
    }));
    having.set(phrase, inColumns);
    return inColumns.reduce((some, { rows }) => some.or(rows), new RowSet(count));
  });
  const rows = found.toRows();
  const ranks = new Float32Array(rows.length);
  for (const phrase of wantedPhrases(query)) addGains(having.get(phrase) ?? [], { rows, ranks, count });
  const best = ranks.reduce((most, rank) => Math.max(most, rank), 0);
  return { rows, similarities: ranks.map((rank) => (best > 0 ? rank / best : 1)) };
}

/** Rows whose texts in one column have a phrase. */
interface ColumnRows {
  weight: number;
  rows: RowSet;
}

/** Adds to the ranks of rows what one phrase is worth. */
function addGains(
  inColumns: readonly ColumnRows[],
  { rows, ranks, count }: { rows: Int32Array; ranks: Float32Array; count: number },
): void {
  const nWith = inColumns.reduce((some, column) => some.or(column.rows), new RowSet(count)).count;
  const rarity = Math.max(LEAST_RARITY, Math.log((count - nWith + 0.5) / (nWith + 0.5)));
  for (let at = 0; at < rows.length; at += 1) {
    let weight = 0;
    for (const column of inColumns) if (column.rows.has(rows[at] as number)) weight += column.weight;
    ranks[at] = (ranks[at] as number) + (rarity * weight * (K1 + 1)) / (weight + K1);
  }
}

/** The phrases that are not excluded. */
function wantedPhrases(query: WordQuery): Phrase[] {
  if (query.op === 'phrase') return [query];
  return query.op === 'not' ? [] : query.of.flatMap(wantedPhrases);
}

/** FTS5 reads text up to a NUL. */
function expressionOf({ text, is_prefix }: Phrase): string {
  return `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"${is_prefix ? ' *' : ''}`;
}
