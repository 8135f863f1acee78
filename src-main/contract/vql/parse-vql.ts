import { type AppError, invalidField } from '../errors.ts';
import { asWritten, message } from '../messages.ts';
import { FILTERS, type Filter, type FilterName, isFilterName } from './filters.ts';

/** Maximum number of filters in a query: more hold up the process that reads them. */
export const MAX_FILTERS = 200;

const EXAMPLE = '[{"labels":{"op":"is","value":["dog"]}}]';

/** Reads VQL. @throws AppError `invalid_input` that names the item, the key and what was expected. */
export function parseVql(vql: string): Filter[] {
  const items = parseJson(vql);
  if (!Array.isArray(items)) throw invalidField('vql', message('vql_not_array', { example: EXAMPLE }));
  if (items.length > MAX_FILTERS) throw tooManyFilters('vql');
  return items.flatMap((item: unknown, at) => parseItem(`vql[${at}]`, item));
}

function parseItem(place: string, item: unknown): Filter[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw invalidField(place, message('vql_item_not_object', { example: EXAMPLE.slice(1, -1) }));
  }
  const entries = Object.entries(item).filter(([name]) => name !== 'id');
  if (entries.length === 0)
    throw invalidField(place, message('vql_item_empty', { filters: Object.keys(FILTERS).join(', ') }));
  return entries.map(([name, body]) => {
    if (!isFilterName(name)) {
      throw invalidField(
        `${place}.${name}`,
        message('vql_filter_unknown', { filters: Object.keys(FILTERS).join(', ') }),
      );
    }
    return parseFilter(`${place}.${name}`, name, body);
  });
}

/** Reads the body of one filter. @param place What an error names. */
export function parseFilter(place: string, name: FilterName, body: unknown): Filter {
  const read = FILTERS[name].safeParse(body);
  // The name and the schema come from the same entry of the table, which the compiler cannot see.
  if (read.success) return { name, body: read.data } as Filter;
  const [issue] = read.error.issues;
  throw invalidField([place, ...(issue?.path ?? [])].join('.'), asWritten(issue?.message ?? ''));
}

/** A query has more filters than {@link MAX_FILTERS}. @param place What the error names. */
export function tooManyFilters(place: string): AppError {
  return invalidField(place, message('vql_too_many_filters', { limit: MAX_FILTERS }));
}

export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
