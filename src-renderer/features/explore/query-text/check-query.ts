import { AppError } from '../../../../src-main/contract/errors.ts';
import { parseVql } from '../../../../src-main/contract/vql/parse-vql.ts';
import { type JsonPath, outlineJson } from './json-outline.ts';

/** An error in a query, with its start and end. */
export interface QueryFault {
  /** The server's message. undefined if the text is not JSON. */
  detail: string | undefined;
  start: number;
  end: number;
}

/** The first error in a query text, in the server's words. */
export function checkQuery(text: string): QueryFault | undefined {
  const { wrongAt } = outlineJson(text);
  if (wrongAt !== undefined) {
    const start = Math.max(0, Math.min(wrongAt, text.length - 1));
    return { detail: undefined, start, end: start + 1 };
  }
  try {
    parseVql(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [place = 'vql'] = Object.keys(error.fields ?? {});
    return { detail: error.message, ...rangeOfPlace(text, place) };
  }
}

/** The position of the part that an error names, such as `vql[0].labels.op`. A missing part is marked at its parent. */
export function rangeOfPlace(text: string, place: string): { start: number; end: number } {
  const { spots } = outlineJson(text);
  const path = pathOf(place);
  for (let length = path.length; length > 0; length -= 1) {
    const searched = JSON.stringify(path.slice(0, length));
    const found = spots.filter((spot) => spot.end > spot.start && JSON.stringify(spot.path) === searched);
    // A filter is marked at its key, other parts at their value.
    const best = found.find(({ kind }) => (kind === 'key') === (length === 2)) ?? found[0];
    if (best !== undefined) return { start: best.start, end: best.end };
  }
  return { start: 0, end: text.length };
}

/** The filter that an error names by its path. undefined if it names none. */
export function filterAt(place: string): number | undefined {
  const [first] = place.startsWith('vql[') ? pathOf(place) : [];
  return typeof first === 'number' ? first : undefined;
}

function pathOf(place: string): JsonPath {
  return [...place.matchAll(/\[(\d+)\]|\.([^.[]+)/g)].map(([, index, key = '']) =>
    index !== undefined || /^\d+$/.test(key) ? Number(index ?? key) : key,
  );
}
