import type { TextColumn, WordQuery } from '../../../core/ports/query.ts';

/** What FTS5 finds by an expression, or all else. */
export interface MatchExpression {
  /** Undefined where nothing can be found. */
  match: string | undefined;
  is_negated: boolean;
}

/** Words as FTS5 asks for them. FTS5 knows NOT only between two operands: what would be left without one is the complement of a match. */
export function toMatchExpression(query: WordQuery, columns: readonly TextColumn[]): MatchExpression {
  const { match, is_negated } = expressionOf(query);
  return { match: match === undefined ? undefined : `{${columns.join(' ')}} : (${match})`, is_negated };
}

function expressionOf(query: WordQuery): MatchExpression {
  if (query.op === 'phrase') return { match: phrase(query.text, query.is_prefix), is_negated: false };
  if (query.op === 'not') return negate(expressionOf(query.of));
  const parts = query.of.map(expressionOf);
  // By De Morgan, all of the parts are none of their complements.
  return query.op === 'or' ? anyOf(parts) : negate(anyOf(parts.map(negate)));
}

/** A or B; not A or B = not (A without B); not A or not B = not (A and B). */
function anyOf(parts: readonly MatchExpression[]): MatchExpression {
  const found = parts.flatMap(({ match, is_negated }) => (match !== undefined && !is_negated ? [match] : []));
  const negated = parts.filter(({ is_negated }) => is_negated);
  if (negated.length === 0) return { match: joined('OR', found), is_negated: false };
  const all = negated.flatMap(({ match }) => match ?? []);
  // The complement of nothing is everything.
  if (all.length < negated.length) return { match: undefined, is_negated: true };
  const excluded = joined('AND', all);
  const without = joined('OR', found);
  return { match: without === undefined ? excluded : `(${excluded} NOT ${without})`, is_negated: true };
}

function negate({ match, is_negated }: MatchExpression): MatchExpression {
  return { match, is_negated: !is_negated };
}

function joined(operator: 'AND' | 'OR', parts: readonly string[]): string | undefined {
  return parts.length > 1 ? `(${parts.join(` ${operator} `)})` : parts[0];
}

/** FTS5 reads text up to a NUL. */
function phrase(text: string, isPrefix: boolean): string {
  return `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"${isPrefix ? ' *' : ''}`;
}
