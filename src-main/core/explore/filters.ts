import { z } from 'zod';
import { AppError } from '../../contract/errors.ts';
import type { LabelCondition } from '../ports/explored.ts';

/** What a request narrows Explore down to. */
export interface Filters {
  labels: LabelCondition[];
  /** `of`: what the text is compared with. */
  texts: { of: 'items' | 'captions'; value: string; max_distance: number | null }[];
}

interface FilterInput {
  caption?: string | undefined;
  image_caption?: string | undefined;
  textual_similarity_threshold?: number | undefined;
  labels?: string | undefined;
  vql?: string | undefined;
}

const OPERATORS = ['is', 'is_not', 'one_of', 'not_one_of'] as const;
const label = z.string().trim().min(1);
const labelsItem = z.object({
  op: z.enum(OPERATORS),
  value: z.union([z.array(label).min(1), label.transform((one) => [one])]),
});
const textItem = z.object({
  op: z.enum(['semantic', 'fts']),
  value: z.string().trim().min(1),
  threshold: z.number().min(0).max(1).optional(),
});

/**
 * Reads the filters of Explore as clients write them.
 * @throws AppError `invalid_input` that names what is wrong where; `not_implemented` for filters that this version does not know.
 */
export function readFilters(input: FilterInput): Filters {
  const filters: Filters = { labels: [], texts: [] };
  const caption = input.caption ?? input.image_caption;
  if (caption !== undefined) {
    const maxDistance = input.textual_similarity_threshold ?? null;
    filters.texts.push({ of: 'captions', value: caption, max_distance: maxDistance });
  }
  if (input.labels !== undefined) filters.labels.push({ op: 'one_of', labels: labelList(input.labels) });
  if (input.vql !== undefined) readVql(input.vql, filters);
  return filters;
}

/** A JSON array of strings, or without the quotes: `[dog,puppy]`. */
function labelList(text: string): string[] {
  const json = parseJson(text);
  const found = z.array(label).min(1).safeParse(json);
  if (found.success) return found.data;
  const bare = /^\[([^"[\]]*)\]$/.exec(text.trim());
  const names = (bare?.[1] ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  if (names.length === 0) throw invalid('labels', 'must be a JSON array of labels, such as ["dog","puppy"]');
  return names;
}

function readVql(text: string, filters: Filters): void {
  const items = z.array(z.record(z.string(), z.unknown())).safeParse(parseJson(text));
  if (!items.success)
    throw invalid('vql', 'must be a JSON array of filters, such as [{"labels":{"op":"is","value":["dog"]}}]');
  for (const [at, item] of items.data.entries()) {
    for (const [kind, filter] of Object.entries(item)) {
      if (kind !== 'id') readItem(`vql[${at}].${kind}`, kind, filter, filters);
    }
  }
}

function readItem(place: string, kind: string, filter: unknown, filters: Filters): void {
  if (kind === 'labels') {
    const { op, value } = parsed(place, labelsItem, filter);
    filters.labels.push({ op, labels: value });
    return;
  }
  if (kind !== 'text') throw notYet(kind);
  const { op, value, threshold } = parsed(place, textItem, filter);
  if (op === 'fts') throw notYet('text with op fts');
  filters.texts.push({ of: 'items', value, max_distance: threshold === undefined ? null : 1 - threshold });
}

function parsed<T extends z.ZodType>(place: string, schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid([place, ...(issue?.path ?? [])].join('.'), issue?.message ?? 'is not valid');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function invalid(field: string, expected: string): AppError {
  return new AppError('invalid_input', `${field}: ${expected}`, { [field]: expected });
}

function notYet(what: string): AppError {
  return new AppError('not_implemented', `Filtering by ${what} is not available in this version`);
}
