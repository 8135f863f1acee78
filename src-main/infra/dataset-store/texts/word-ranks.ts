import type { Facts } from '../explore/row-facts.ts';
import type { SimilarRows } from '../explore/similar-rows.ts';
import { rankByWords, type Words } from './full-text.ts';

/** Ranks all rows by words. Rankings are cached until the data changes. */
export function ranksOfWords({ query, columns }: Words, facts: Facts): SimilarRows {
  const { versions, index, entity_type, wordRanks } = facts;
  const state = [versions.rows, versions.annotations, versions.edits, index.state()];
  const key = JSON.stringify([state, entity_type, query, columns]);
  const known = wordRanks.get(key);
  if (known) return known;
  const ranks = rankByWords({ query, columns }, facts);
  wordRanks.set(key, ranks);
  return ranks;
}
