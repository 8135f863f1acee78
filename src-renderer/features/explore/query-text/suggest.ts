import { type JsonSpot, outlineJson, spotAt } from './json-outline.ts';
import {
  bodyTemplate,
  CARET,
  type Choice,
  filterNames,
  keysOf,
  memberTemplate,
  namedValues,
  type QueryValues,
} from './query-choices.ts';

/** Maximum number of suggestions. */
const MAX_SUGGESTIONS = 8;

/** A replacement for part of the query. */
export interface Suggestion {
  /** Display name. */
  text: string;
  count: number | undefined;
  start: number;
  end: number;
  insert: string;
  /** Caret position from the start of the query. */
  caret: number;
}

/** Suggestions for the caret. Those that start with the typed text come first. */
export function suggest(text: string, caret: number, values: QueryValues): Suggestion[] {
  const outline = outlineJson(text);
  const spot = spotAt(outline, caret);
  if (spot === undefined) return [];
  const typed = typedBefore(text, spot, caret);
  const siblings = outline.spots.filter((one) => one !== spot && isSibling(one, spot)).map((one) => one.text);
  const isRoom = spot.text === '' && !/\S/.test(text.slice(spot.start, spot.end));
  const [start, end] = isRoom ? [caret, caret] : [spot.start, spot.end];
  return choicesAt(spot, values)
    .filter(({ choice }) => !siblings.includes(choice.value))
    .map(({ choice, insert }) => ({ choice, insert, fit: fitOf(choice, typed) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ choice, insert }) => {
      const whole = `${spot.needsComma ? ',' : ''}${insert}`;
      const inside = whole.indexOf(CARET);
      return {
        text: choice.name ?? choice.value,
        count: choice.count,
        start,
        end,
        insert: whole.replaceAll(CARET, ''),
        caret: start + (inside < 0 ? whole.length : inside),
      };
    });
}

interface Insertion {
  choice: Choice;
  insert: string;
}

function choicesAt({ kind, path }: JsonSpot, values: QueryValues): Insertion[] {
  const [, name, key] = path.map(String);
  if (kind === 'key' && path.length === 2)
    return filterNames().map((value) => filter(value, `"${value}":${bodyTemplate(value)}`));
  if (kind === 'key' && path.length === 3 && name !== undefined) {
    return keysOf(name).map((value) => ({ choice: { value }, insert: memberTemplate(name, value) }));
  }
  if (kind !== 'value') return [];
  if (path.length < 2) {
    const [before, after] = path.length === 0 ? ['[{', '}]'] : ['{', '}'];
    return filterNames().map((value) => filter(value, `${before}"${value}":${bodyTemplate(value)}${after}`));
  }
  if (name === undefined || key === undefined || path.length > 4) return [];
  const named = namedValues(name, key).map((value): Choice => ({ value }));
  const known = values[`${name}.${key}`] ?? [];
  const unknown = named.filter(({ value }) => !known.some((one) => one.value === value));
  return [...known, ...unknown].map((choice) => ({ choice, insert: JSON.stringify(choice.value) }));
}

function filter(value: string, insert: string): Insertion {
  return { choice: { value }, insert };
}

/** The typed text of a part, up to the caret. */
function typedBefore(text: string, { start }: JsonSpot, caret: number): string {
  return text
    .slice(start, caret)
    .replace(/^\s*"?/, '')
    .trimEnd()
    .toLowerCase();
}

/** Leaves out keys of the object and values of the list that are already there. */
function isSibling(one: JsonSpot, spot: JsonSpot): boolean {
  return (
    one.kind === spot.kind &&
    one.path.length === spot.path.length &&
    spot.path.length > 2 &&
    one.path.slice(0, -1).every((part, at) => part === spot.path[at])
  );
}

/** Rank of a match. 0: no match. */
function fitOf({ value, name = value }: Choice, typed: string): number {
  const [shown, written] = [name.toLowerCase(), value.toLowerCase()];
  if (shown.startsWith(typed) || written.startsWith(typed)) return 2;
  return shown.includes(typed) ? 1 : 0;
}
