import type { EntityType } from '../../../contract/schemas/explore.ts';
import { TEXT_COLUMNS, type TextColumn, type WordQuery } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { Facts } from '../explore/row-facts.ts';
import type { SimilarRows } from '../explore/similar-rows.ts';
import { isWithinPrefix, rowsOfIdsAfterPrefix } from './ids-with-prefix.ts';

const TABLES: Record<EntityType, string> = { IMAGES: 'item_text', OBJECTS: 'object_text' };

/** Weights of the text columns. A word in a caption or label says more about an item than one in its path; see {@link TEXT_COLUMNS}. */
const WEIGHTS: Record<TextColumn, number> = { caption: 4, label: 4, file_name: 2, folder: 1, id: 1 };

/** Saturation parameter of BM25, with the value that FTS5 uses. */
const K1 = 1.2;
/** Minimum similarity, 0 … 1, of a text that has all of the words. Such a text is a strong match, whatever its rank among the others. */
const LEAST_STRONG = 0.6;
/** Minimum weight of a phrase: a word that most items have still counts a little. */
const LEAST_RARITY = 1e-6;
/** Maximum rounding error of a similarity as float32. */
const ROUNDING = 1e-6;

type Phrase = WordQuery & { op: 'phrase' };

export interface Words {
  query: WordQuery;
  columns: readonly TextColumn[];
}

/**
 * Returns the rows whose texts match. Captions, paths and ids are in documents (see [Note: Full text]); labels are found by their names.
 */
function rowsWithWords({ query, columns }: Words, facts: Facts): RowSet {
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

/** The beginning of an id is compared with what follows its prefix, unless it has all of the prefix. */
function rowsInDocuments(phrase: Phrase, columns: readonly TextColumn[], facts: Facts): RowSet {
  if (!phrase.is_prefix || !columns.includes('id')) return rowsMatching(phrase, columns, facts);
  const others = columns.filter((column) => column !== 'id');
  const rows = others.length > 0 ? rowsMatching(phrase, others, facts) : new RowSet(facts.count);
  const ids = isWithinPrefix(phrase.text)
    ? rowsOfIdsAfterPrefix(phrase.text, facts)
    : rowsMatching({ ...phrase, text: phrase.text.replaceAll('-', '') }, ['id'], facts);
  return rows.or(ids);
}

function rowsMatching(phrase: Phrase, columns: readonly TextColumn[], facts: Facts): RowSet {
  const { db, entity_type, first, count } = facts;
  const table = TABLES[entity_type];
  const find = db
    .prepare<[string, number], number>(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid >= ?`)
    .pluck();
  // Reads all rows at once: row by row, most of the time would be spent on calls from SQLite to JavaScript.
  return RowSet.of(count, find.all(`{${columns.join(' ')}} : ${expressionOf(phrase)}`, first));
}

function rowsLabelled(phrase: Phrase, { labels, labelNames, count }: Facts): RowSet {
  const names = labelNames.find(labels.names(), expressionOf(phrase));
  return names.reduce((rows, name) => rows.or(labels.with(name, count)), new RowSet(count));
}

/** Returns the rows of {@link rowsWithWords} that are not farther than a distance. */
export function rowsNearWords(words: Words, maxDistance: number | null, facts: Facts): RowSet {
  if (maxDistance === null || maxDistance >= 1 - LEAST_STRONG) return rowsWithWords(words, facts);
  const { rows, similarities } = rankByWords(words, facts);
  return RowSet.of(
    facts.count,
    rows.filter((_, at) => (similarities[at] as number) > 1 - maxDistance - ROUNDING),
  );
}

/**
 * Ranks the rows whose texts match, from {@link LEAST_STRONG} to 1 for the best, by BM25F (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009): a
 * phrase counts by its rarity and, with saturation, by the weights of the columns that have it. The number of occurrences in a column and
 * the length of the column are ignored: texts are short, and FTS5's own bm25 takes ten times as long to read these. A query that only
 * excludes words ranks every match 1.
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
  for (const phrase of searchedPhrases(query)) addGains(having.get(phrase) ?? [], { rows, ranks, count });
  const best = ranks.reduce((most, rank) => Math.max(most, rank), 0);
  const similarityOf = (rank: number) => LEAST_STRONG + (1 - LEAST_STRONG) * (best > 0 ? rank / best : 1);
  return { rows, similarities: ranks.map(similarityOf) };
}

/** Rows with a phrase in one column. */
interface ColumnRows {
  weight: number;
  rows: RowSet;
}

/** Adds the value of one phrase to the ranks of rows. */
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

/** Returns the phrases that are not excluded. */
function searchedPhrases(query: WordQuery): Phrase[] {
  if (query.op === 'phrase') return [query];
  return query.op === 'not' ? [] : query.of.flatMap(searchedPhrases);
}

/** Returns the FTS5 expression of a phrase. FTS5 reads text only up to a NUL. */
function expressionOf({ text, is_prefix }: Phrase): string {
  return `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"${is_prefix ? ' *' : ''}`;
}
