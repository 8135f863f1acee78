import { AppError, invalidField } from '../../contract/errors.ts';
import { message } from '../../contract/messages.ts';
import type { Filter } from '../../contract/vql/filters.ts';
import { MAX_FILTERS, parseFilter, parseJson, parseVql, tooManyFilters } from '../../contract/vql/parse-vql.ts';

/** Maximum number of words in all texts of a query. */
const MAX_WORDS = 256;

/** Filter parameters of Explore, as received. */
export interface QueryParameters {
  anchor_media_id?: string | undefined;
  anchor_type?: 'UPLOAD' | 'MEDIA' | undefined;
  caption?: string | undefined;
  /** Previous name of `caption`. */
  image_caption?: string | undefined;
  textual_similarity_threshold?: number | undefined;
  labels?: string | undefined;
  tags?: string | undefined;
  duplicate_threshold?: number | undefined;
  vql?: string | undefined;
}

/**
 * Parses all filter parameters of Explore into one query.
 * @throws AppError `invalid_input` that names the problem and its place; `invalid_request` for an incomplete anchor.
 */
export function readQuery(input: QueryParameters): Filter[] {
  const filters: Filter[] = [];
  const { anchor_media_id, anchor_type, duplicate_threshold, labels, tags, vql } = input;
  if (anchor_media_id !== undefined || anchor_type !== undefined) filters.push(anchor(anchor_media_id, anchor_type));
  const caption = input.caption ?? input.image_caption;
  if (caption !== undefined) {
    const below = input.textual_similarity_threshold;
    filters.push(parseFilter('caption', 'captions', { op: 'semantic', value: caption, below }));
  }
  if (labels !== undefined)
    filters.push(parseFilter('labels', 'labels', { op: 'one_of', value: names('labels', labels) }));
  if (tags !== undefined) filters.push(parseFilter('tags', 'tags', { op: 'is', value: names('tags', tags) }));
  if (duplicate_threshold !== undefined) {
    filters.push({ name: 'duplicates', body: { op: 'duplicates', value: duplicate_threshold } });
  }
  if (vql !== undefined) filters.push(...parseVql(vql));
  if (filters.length > MAX_FILTERS) throw tooManyFilters('vql');
  assertFewWords(filters);
  return filters;
}

/** @throws AppError `invalid_input` for more words than {@link MAX_WORDS} in all texts of a query. */
function assertFewWords(filters: readonly Filter[]): void {
  let nWords = 0;
  for (const { name, body } of filters) {
    if (name !== 'text' && name !== 'captions') continue;
    for (const text of [body.value].flat()) nWords += text.match(/\S+/g)?.length ?? 0;
    if (nWords > MAX_WORDS) throw invalidField(name, message('query_too_many_words', { limit: MAX_WORDS }));
  }
}

function anchor(mediaId: string | undefined, type: QueryParameters['anchor_type']): Filter {
  if (mediaId === undefined) throw new AppError('invalid_request', message('anchor_id_missing'));
  if (type === undefined) throw new AppError('invalid_request', message('anchor_type_missing'));
  return { name: 'similarity', body: { op: type === 'UPLOAD' ? 'upload' : 'media', value: mediaId } };
}

/** Parses a JSON array of strings, or the forms that clients send: `[dog,puppy]`, or for tags one bare word. */
function names(parameter: 'labels' | 'tags', value: string): unknown[] {
  const json = parseJson(value);
  if (Array.isArray(json) && json.length > 0) return json;
  const inside = /^\[([^"[\]]*)\]$/.exec(value.trim())?.[1] ?? (parameter === 'tags' ? value : '');
  const found = inside.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  if (found.length === 0) throw invalidField(parameter, message('not_array_of_strings'));
  return found;
}
