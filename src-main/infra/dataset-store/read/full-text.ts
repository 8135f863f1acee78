import type { EntityType } from '../../../contract/schemas/explore.ts';
import { TEXT_COLUMNS, type TextColumn, type WordQuery } from '../../../core/ports/query.ts';
import { RowSet } from '../../vectors/row-set.ts';
import type { Facts } from './conditions/executor.ts';

const TABLES: Record<EntityType, string> = { IMAGES: 'item_text', OBJECTS: 'object_text' };

/** A word of a caption or label tells more of an item than one of its path; see {@link TEXT_COLUMNS}. */
const WEIGHTS: Record<TextColumn, number> = { caption: 4, label: 4, file_name: 2, folder: 1, id: 1 };

/** How fast BM25 saturates, as FTS5 has it. */
const K1 = 1.2;

type Phrase = WordQuery & { op: 'phrase' };

export interface Words {
  query: WordQuery;
  columns: readonly TextColumn[];
}

/** Rows whose texts fit. Captions, paths and ids lie in documents (see [Note: Full text]); labels are found by their names. */
export function rowsWithWords({ query, columns }: Words, facts: Facts): RowSet {
  if (query.op === 'phrase') return rowsWithPhrase(query, columns, facts);
  if (query.op === 'not') return rowsWithWords({ query: query.of, columns }, facts).not();
  const parts = query.of.map((of) => rowsWithWords({ query: of, columns }, facts));
  const none = new RowSet(facts.count);
  return query.op === 'or'
    ? parts.reduce((some, part) => some.or(part), none)
    : parts.reduce((all, part) => all.and(part), none.not());
}

function rowsWithPhrase(phrase: Phrase, columns: readonly TextColumn[], facts: Facts): RowSet {
  const { db, entity_type, count } = facts;
  const table = TABLES[entity_type];
  const match = documentMatch([phrase], columns);
  const rows = match
    ? RowSet.of(
        count,
        db.prepare<[string], number>(`SELECT rowid FROM ${table} WHERE ${table} MATCH ?`).pluck().iterate(match),
      )
    : new RowSet(count);
  return columns.includes('label') ? rows.or(rowsLabelled(phrase, facts)) : rows;
}

function rowsLabelled(phrase: Phrase, { labels, labelNames, count }: Facts): RowSet {
  const names = labelNames.find(labels.names(), expressionOf(phrase));
  return names.reduce((rows, name) => rows.or(labels.with(name, count)), new RowSet(count));
}

/**
 * How well the texts of rows fit, 0 … 1 for the best, by BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009): of
 * documents as FTS5 computes it, of labels as of texts of middling length. Rows that do not fit have -Infinity. What only excludes words
 * ranks nothing: all that fits is 1.
 */
export function rankByWords(words: Words, facts: Facts): Float32Array {
  const { db, entity_type, count } = facts;
  const ranks = new Float32Array(count).fill(Number.NEGATIVE_INFINITY);
  const found = rowsWithWords(words, facts);
  found.forEach((row) => {
    ranks[row] = 0;
  });
  const phrases = wantedPhrases(words.query);
  const match = documentMatch(phrases, words.columns);
  if (match) {
    const table = TABLES[entity_type];
    const weights = TEXT_COLUMNS.map((column) => WEIGHTS[column]).join(', ');
    const documents = db.prepare<[string], { row: number; bm25: number }>(
      `SELECT rowid AS row, bm25(${table}, ${weights}) AS bm25 FROM ${table} WHERE ${table} MATCH ?`,
    );
    // FTS5 gives the better match the lower number, below 0. To -Infinity it adds nothing.
    for (const { row, bm25 } of documents.iterate(match)) if (row < count) ranks[row] = (ranks[row] as number) - bm25;
  }
  if (words.columns.includes('label')) {
    for (const phrase of phrases) {
      const labelled = rowsLabelled(phrase, facts);
      const nLabelled = labelled.count;
      const rarity = Math.max(1e-6, Math.log((count - nLabelled + 0.5) / (nLabelled + 0.5)));
      const rank = (rarity * WEIGHTS.label * (K1 + 1)) / (WEIGHTS.label + K1);
      labelled.forEach((row) => {
        ranks[row] = (ranks[row] as number) + rank;
      });
    }
  }
  const best = ranks.reduce((highest, rank) => Math.max(highest, rank), 0);
  return ranks.map((rank) => (best > 0 ? rank / best : rank + 1));
}

/** The phrases that are not excluded. */
function wantedPhrases(query: WordQuery): Phrase[] {
  if (query.op === 'phrase') return [query];
  return query.op === 'not' ? [] : query.of.flatMap(wantedPhrases);
}

/** Asks FTS5 for documents with any of some phrases; undefined where no document can have them. */
function documentMatch(phrases: readonly Phrase[], columns: readonly TextColumn[]): string | undefined {
  const inDocuments = columns.filter((column) => column !== 'label');
  if (phrases.length === 0 || inDocuments.length === 0) return undefined;
  return `{${inDocuments.join(' ')}} : (${phrases.map(expressionOf).join(' OR ')})`;
}

/** FTS5 reads text up to a NUL. */
function expressionOf({ text, is_prefix }: Phrase): string {
  return `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"${is_prefix ? ' *' : ''}`;
}
