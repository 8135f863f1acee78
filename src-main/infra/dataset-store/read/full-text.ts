import type { EntityType } from '../../../contract/schemas/explore.ts';
import { TEXT_COLUMNS, type TextColumn, type WordQuery } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { Facts } from './conditions/executor.ts';

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
 * How well the texts of rows fit, 0 … 1 for the best, by BM25F (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009): a phrase
 * counts by its rarity and, with saturation, by the weights of the columns that have it. How often a column has it and how long that is does
 * not matter: texts are short, and FTS5's own bm25 takes ten times as long to look that up. Rows that do not fit have -Infinity. What only
 * excludes words ranks nothing: all that fits is 1.
 */
export function rankByWords({ query, columns }: Words, facts: Facts): Float32Array {
  const { count } = facts;
  const weighted = new Map<Phrase, WeightedRows>();
  const found = combined(query, count, (phrase) => {
    const rows = weightedRows(phrase, columns, facts);
    weighted.set(phrase, rows);
    return rows.rows;
  });
  const gains = wantedPhrases(query).flatMap((phrase) => {
    const of = weighted.get(phrase);
    if (!of) return [];
    const nWith = of.rows.count;
    const rarity = Math.max(LEAST_RARITY, Math.log((count - nWith + 0.5) / (nWith + 0.5)));
    return [{ rarity, weights: of.weights }];
  });
  const ranks = new Float32Array(count).fill(Number.NEGATIVE_INFINITY);
  let best = 0;
  found.forEach((row) => {
    let rank = 0;
    for (const { rarity, weights } of gains) {
      const weight = weights[row] as number;
      rank += (rarity * weight * (K1 + 1)) / (weight + K1);
    }
    ranks[row] = rank;
    // As it is stored, so that the best comes out as 1.
    best = Math.max(best, ranks[row] as number);
  });
  found.forEach((row) => {
    ranks[row] = best > 0 ? (ranks[row] as number) / best : 1;
  });
  return ranks;
}

/** Rows that have a phrase, and by row the weights of the columns that have it. */
interface WeightedRows {
  rows: RowSet;
  weights: Float32Array;
}

function weightedRows(phrase: Phrase, columns: readonly TextColumn[], facts: Facts): WeightedRows {
  const weights = new Float32Array(facts.count);
  const rows = columns.reduce((some, column) => {
    const having = column === 'label' ? rowsLabelled(phrase, facts) : rowsInDocuments(phrase, [column], facts);
    having.forEach((row) => {
      weights[row] = (weights[row] as number) + WEIGHTS[column];
    });
    return some.or(having);
  }, new RowSet(facts.count));
  return { rows, weights };
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
